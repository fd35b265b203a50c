// expect: protocol_error in play
// options: --threads 4
// build: -pthread
/* Has a thread write to the pipe while the main one plays. */
#include "hostile.h"
#include <pthread.h>

static void *garble(void *argument) {
    tell("not a frame", 11);
    return argument;
}

void on_play(unsigned turn) {
    pthread_t thread;
    (void)turn;
    pthread_create(&thread, NULL, garble, NULL);
    pthread_join(thread, NULL);
}
