// expect: timeout in play
// options: --move-time 150ms
/* Ends its process, which runs a function that never ends. */
#include "hostile.h"

static void forever(void) {
    for (;;) {
        pause();
    }
}

void on_play(unsigned turn) {
    (void)turn;
    atexit(forever);
    exit(0);
}
