// expect: timeout in play
// options: --move-time 150ms
/* Has a timer take the thread away from the server's code, for good. */
#include "hostile.h"
#include <sys/time.h>

static void forever(int number) {
    (void)number;
    for (;;) {
        pause();
    }
}

void on_answer(struct move_t *answer) {
    struct itimerval const soon = {{0, 0}, {0, 1000}};
    (void)answer;
    if (game.turn == 1) {
        signal(SIGALRM, forever);
        setitimer(ITIMER_REAL, &soon, NULL);
    }
}
