// expect: timeout in play
// options: --move-time 200ms
// rival: slow
/* Computes in the rival's time from a timer's handler, without any thread: the next move pays for it. */
#include "hostile.h"
#include <sys/time.h>

static void compute(int number) {
    (void)number;
    for (clock_t const start = clock(); clock() - start < CLOCKS_PER_SEC / 1000 * 240;) {
    }
}

/* Once, after this move. */
void on_answer(struct move_t *answer) {
    struct itimerval const soon = {{0, 0}, {0, 1000}};
    (void)answer;
    if (game.turn == 1) {
        signal(SIGALRM, compute);
        setitimer(ITIMER_REAL, &soon, NULL);
    }
}
