// expect: crash in play, signal SIGALRM
/* Sets a timer and does not handle its signal. */
#include "hostile.h"
#include <sys/time.h>

void on_play(unsigned turn) {
    (void)turn;
    struct itimerval soon = {{0, 0}, {0, 10000}};
    setitimer(ITIMER_REAL, &soon, NULL);
    for (;;) {
        pause();
    }
}
