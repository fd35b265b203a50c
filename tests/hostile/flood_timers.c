// expect: plays on
// rival: slow
// Timers that ring in the rival's turn, again and again, and many that listen to each: time of the kernel's alone.
#include "watchers.h"

#include <sys/timerfd.h>

void on_play(unsigned turn) {
    if (turn == 0) {
        int timers[EACH];
        for (int i = 0; i < EACH; i++) {
            timers[i] = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
        }
        watch_all(timers);
    }
}

void on_answer(struct move_t *answer) {
    (void)answer;
    for (int i = 0; i < EACH; i++) {
        struct itimerspec const often = {{0, 1}, {0, 200000 + 10000 * i}};
        if (timerfd_settime(watched[i], 0, &often, NULL) != 0) {
            harm("a timer was refused: %d", errno);
        }
    }
}
