// expect: exit in play, status 0
// build: -pthread
/* Ends the main thread by pthread_exit: it was the last one, so the process ends. */
#include "hostile.h"
#include <pthread.h>

void on_play(unsigned turn) {
    (void)turn;
    pthread_exit(NULL);
}
