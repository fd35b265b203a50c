// expect: crash in play, signal SIGTRAP
/* Stops at a breakpoint with no debugger around. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    __asm__ volatile("int3");
}
