// expect: crash in play, signal SIGSEGV
/* Reads an address that no process can have: the kernel tells no address with that fault. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    uintptr_t volatile wild = 0xdead000000000000;
    (void)*(int volatile *)wild;
}
