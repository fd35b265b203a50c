// expect: timeout in play
// options: --move-time 150ms
/* Sleeps in play. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    for (;;) {
        pause();
    }
}
