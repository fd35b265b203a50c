// expect: violation in play
// options: --threads 4 --move-time 2
// build: -pthread
/* Ends the main thread by the kernel's call and lets another one live: the process does not end. */
#include "hostile.h"
#include <pthread.h>
#include <sys/syscall.h>

static void *linger(void *argument) {
    for (;;) {
        pause();
    }
    return argument;
}

void on_play(unsigned turn) {
    pthread_t thread;
    (void)turn;
    pthread_create(&thread, NULL, linger, NULL);
    syscall(SYS_exit, 0);
}
