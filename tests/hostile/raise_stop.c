// expect: timeout in play
// options: --move-time 150ms
/* Stops itself: a stopped process uses no processor time, and its limit must end all the same. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    raise(SIGSTOP);
}
