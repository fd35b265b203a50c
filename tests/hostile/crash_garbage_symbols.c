// expect: crash in play, signal SIGABRT
// build: -g0
/* Crashes with debug information that is garbage: whoever reads it must not trust it. */
#include "hostile.h"

__asm__(".section .debug_info,\"\",@progbits\n.fill 65536,1,0x91\n"
        ".section .debug_abbrev,\"\",@progbits\n.fill 4096,1,0x83\n"
        ".section .debug_line,\"\",@progbits\n.fill 65536,1,0x04\n"
        ".section .debug_str,\"\",@progbits\n.fill 4096,1,0x1b\n"
        ".section .debug_ranges,\"\",@progbits\n.fill 4096,1,0xff\n.text");

void on_play(unsigned turn) {
    (void)turn;
    abort();
}
