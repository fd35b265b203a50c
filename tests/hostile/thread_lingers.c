// expect: plays on
// options: --threads 4
// build: -pthread
/* Leaves threads behind that never end: the process must end all the same. */
#include "hostile.h"
#include <pthread.h>

static void *linger(void *argument) {
    for (;;) {
        pause();
    }
    return argument;
}

void on_finalize(void) {
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, linger, NULL);
        pthread_detach(thread);
    }
}
