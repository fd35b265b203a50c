// expect: timeout in play
// options: --threads 2 --move-time 10ms
// build: -pthread
// rival: slow
/* Computes in the rival's time, which slows the rival down: the next move pays for it. */
#include "hostile.h"
#include <pthread.h>

static void *burn(void *argument) {
    for (unsigned volatile i = 0;; i++) {
    }
    return argument;
}

void on_answer(struct move_t *answer) {
    (void)answer;
    for (int i = 0; game.turn == 1 && i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, burn, NULL);
    }
}
