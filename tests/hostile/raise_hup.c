// expect: crash in play, signal SIGHUP
/* Sends itself SIGHUP, as if the terminal were gone. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    raise(SIGHUP);
    for (;;) {
        pause();
    }
}
