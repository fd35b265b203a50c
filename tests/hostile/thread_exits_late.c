// expect: exit in play, status 7
// options: --threads 4
// build: -pthread
/* Ends the process in the rival's time. */
#include "hostile.h"
#include <pthread.h>

static void *leave(void *argument) {
    nap(1);
    _exit(7);
    return argument;
}

void on_answer(struct move_t *answer) {
    pthread_t thread;
    (void)answer;
    if (game.turn == 1) {
        pthread_create(&thread, NULL, leave, NULL);
    } else {
        nap(50);
    }
}
