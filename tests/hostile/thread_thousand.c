// expect: plays on
// options: --threads 4
// build: -pthread
// once: a thousand threads are slow to start
// needs: root
/* Starts a thousand threads: the kernel, which counts them for a user of its own, refuses most, and the machine goes on. */
#include "hostile.h"
#include <pthread.h>

static void *sleep_long(void *argument) {
    nap(60000);
    return argument;
}

void on_play(unsigned turn) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    for (int i = 0; turn == 0 && i < 1000; i++) {
        pthread_t thread;
        if (pthread_create(&thread, &small, sleep_long, NULL) != 0) {
            break;
        }
    }
}
