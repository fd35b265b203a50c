// expect: crash in play, signal SIGABRT
// build: -g0
/* Crashes with debug information whose first unit claims to be huge. */
#include "hostile.h"

__asm__(".section .debug_info,\"\",@progbits\n.long 0x7ffffff0\n.value 4\n.long 0\n.byte 8\n"
        ".fill 64,1,0xff\n"
        ".section .debug_abbrev,\"\",@progbits\n.byte 1,0x11,1,0xff\n"
        ".section .debug_aranges,\"\",@progbits\n.long 0xfffffff0\n.value 2\n.text");

void on_play(unsigned turn) {
    (void)turn;
    abort();
}
