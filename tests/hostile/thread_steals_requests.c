// expect: timeout in play
// options: --threads 4 --move-time 150ms
// build: -pthread
/* Has threads that take requests out of the pipe before the main thread sees them. */
#include "hostile.h"
#include <pthread.h>

static void *steal(void *argument) {
    char request[32];
    for (;;) {
        /* Waits in the queue before the main thread comes back to it. */
        ssize_t got = read(pipe_to_server(O_RDONLY), request, sizeof request);
        (void)got;
    }
    return argument;
}

void on_play(unsigned turn) {
    for (int i = 0; turn == 0 && i < 3; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, steal, NULL);
        nap(20);
    }
}
