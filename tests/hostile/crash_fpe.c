// expect: crash in play, signal SIGFPE
/* Divides by zero. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    int volatile zero = 0;
    zero = 7 / zero;
}
