// expect: crash in play, signal SIGSEGV
// options: --threads 4
// build: -pthread
/* Crashes in the rival's time, when nobody waits for an answer. */
#include "hostile.h"
#include <pthread.h>

static void *crash(void *argument) {
    nap(1);
    *(int volatile *)argument = 1;
    return NULL;
}

void on_answer(struct move_t *answer) {
    pthread_t thread;
    (void)answer;
    if (game.turn == 1) {
        pthread_create(&thread, NULL, crash, NULL);
    } else {
        nap(50);
    }
}
