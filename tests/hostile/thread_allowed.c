// expect: plays on
// options: --threads 4
// build: -pthread
/* Starts the threads that it may have, in each turn: that is honest. */
#include "hostile.h"
#include <pthread.h>

static void *nothing(void *argument) { return argument; }

void on_play(unsigned turn) {
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        int const error = pthread_create(&thread, NULL, nothing, NULL);
        if (error != 0) {
            harm("no thread in turn %u: %s", turn, strerror(error));
        } else {
            pthread_join(thread, NULL);
        }
    }
}
