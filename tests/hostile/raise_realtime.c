// expect: crash in play
/* Sends itself a real-time signal, which has no name. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    raise(SIGRTMIN + 3);
}
