// expect: crash in play, signal SIGILL
/* Runs an instruction that does not exist, as code for another processor does. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    __asm__ volatile("ud2");
}
