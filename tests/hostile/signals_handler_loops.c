// expect: timeout in play
// options: --move-time 150ms
/* Crashes into a handler that crashes again, without end. */
#include "hostile.h"

static void again(int number) { (void)number; }

void on_play(unsigned turn) {
    (void)turn;
    signal(SIGSEGV, again);
    int volatile *nothing = NULL;
    *nothing = 1;
}
