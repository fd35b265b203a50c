// expect: crash in play, signal SIGSEGV
/* Runs an instruction that only the kernel may run. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    __asm__ volatile("cli");
}
