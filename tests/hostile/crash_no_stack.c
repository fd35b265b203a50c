// expect: crash in play, signal SIGILL
/* Crashes without a stack, so that whoever looks for the place has nothing to go by. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    __asm__ volatile("xor %%rsp, %%rsp\n\txor %%rbp, %%rbp\n\tud2" ::: "rax", "memory");
}
