// expect: timeout in play
// options: --clock wall
/* Answers a little late by the wall clock, having slept. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    nap(360);
}
