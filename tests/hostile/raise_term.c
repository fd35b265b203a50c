// expect: crash in play, signal SIGTERM
/* Sends itself SIGTERM, as somebody who stops a program does. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    raise(SIGTERM);
    for (;;) {
        pause();
    }
}
