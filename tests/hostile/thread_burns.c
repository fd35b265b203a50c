// expect: timeout in play
// options: --threads 4 --move-time 150ms
// build: -pthread
/* Has threads compute while the main one sleeps: their time is the player's. */
#include "hostile.h"
#include <pthread.h>

static void *burn(void *argument) {
    for (unsigned volatile i = 0;; i++) {
    }
    return argument;
}

void on_play(unsigned turn) {
    for (int i = 0; turn == 0 && i < 3; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, burn, NULL);
    }
    nap(60000);
}
