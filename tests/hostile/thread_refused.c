// expect: plays on
// build: -pthread
// harm: it has threads that nobody allowed
/* Starts a thread where it may have one only: it would compute in the rival's time. */
#include "hostile.h"
#include <pthread.h>

static void *nothing(void *argument) { return argument; }

void on_play(unsigned turn) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) == 0) {
        harm("a thread was started in turn %u", turn);
        pthread_join(thread, NULL);
    }
}
