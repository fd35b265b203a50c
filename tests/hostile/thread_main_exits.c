// expect: crash in play, signal SIGABRT
// build: -pthread
/* Ends the main thread by pthread_exit, which unwinds through the code around the player. */
#include "hostile.h"
#include <pthread.h>

void on_play(unsigned turn) {
    (void)turn;
    pthread_exit(NULL);
}
