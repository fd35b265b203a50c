// expect: plays on
/* Has a timer interrupt whatever runs in its process, the calls of the server's code as well. */
#include "hostile.h"
#include <sys/time.h>

static void nothing(int number) { (void)number; }

/* After this move, and again and again. */
void on_answer(struct move_t *answer) {
    struct itimerval const soon = {{0, 200}, {0, 200}};
    (void)answer;
    if (game.turn == 1) {
        struct sigaction const action = {.sa_handler = nothing};
        sigaction(SIGALRM, &action, NULL);
        setitimer(ITIMER_REAL, &soon, NULL);
    }
}
