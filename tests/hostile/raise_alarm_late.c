// expect: crash in play, signal SIGALRM
/* Lets a timer end its process in the rival's time. */
#include "hostile.h"
#include <sys/time.h>

void on_answer(struct move_t *answer) {
    struct itimerval const soon = {{0, 0}, {0, 1000}};
    (void)answer;
    if (game.turn == 1) {
        setitimer(ITIMER_REAL, &soon, NULL);
    }
}
