// expect: out_of_memory in play
// options: --memory 64M --threads 4
// build: -pthread
// once: it takes much memory
// harm: the machine runs out of memory
/* Takes memory as stacks of threads. */
#include "hostile.h"
#include <pthread.h>

enum { STACK = 40 << 20 };

static void *fill(void *nothing) {
    char volatile frame[STACK - (1 << 20)];
    for (size_t at = 0; at < sizeof frame; at += 4096) {
        frame[at] = 1;
    }
    nap(300);
    return nothing;
}

void on_play(unsigned turn) {
    pthread_attr_t big;
    pthread_t threads[3];
    pthread_attr_init(&big);
    pthread_attr_setstacksize(&big, STACK);
    for (int i = 0; i < 3; i++) {
        if (pthread_create(&threads[i], &big, fill, NULL) != 0) {
            harm("thread %d of turn %u was refused", i, turn);
            return;
        }
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
}
