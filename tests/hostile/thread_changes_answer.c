// expect: plays on
// options: --threads 4
// build: -pthread
/* Changes its answer after play has returned, in the rival's time: the server has its own copy. */
#include "hostile.h"
#include <pthread.h>

static uintptr_t volatile where;

static void *change(void *argument) {
    for (int i = 0; i < 20; i++) {
        *(struct move_t volatile *)where = (struct move_t){0, 0, 0};
        nap(0);
    }
    return argument;
}

/* The answer is copied to a place that stays writable; the library's own copy is what the server took. */
void on_answer(struct move_t *answer) {
    static struct move_t kept;
    pthread_t thread;
    kept = *answer;
    where = (uintptr_t)&kept;
    if (pthread_create(&thread, NULL, change, NULL) == 0) {
        pthread_detach(thread);
    }
}
