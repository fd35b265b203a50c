// expect: timeout in play
// options: --move-time 150ms
/* Blocks and ignores all signals, then loops: it must be possible to end it. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (int number = 1; number < 65; number++) {
        signal(number, SIG_IGN);
    }
    for (unsigned volatile i = 0;; i++) {
    }
}
