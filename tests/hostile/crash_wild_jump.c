// expect: crash in play, signal SIGSEGV
/* Calls an address where no code is: nothing of the stack can be trusted after that. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    void (*volatile wild)(void) = (void (*)(void))(uintptr_t)0x123456789000;
    wild();
}
