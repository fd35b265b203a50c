// expect: crash in play, signal SIGABRT
/* Aborts, as a failed check of the C library does: the signal must be told. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    abort();
}
