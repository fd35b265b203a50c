// expect: timeout in play
// options: --move-time 150ms
/* Computes without end in play. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    for (unsigned volatile i = 0;; i++) {
    }
}
