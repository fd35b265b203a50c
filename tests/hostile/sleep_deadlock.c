// expect: timeout in play
// options: --move-time 150ms
// build: -pthread
/* Takes a lock that it holds already. */
#include "hostile.h"
#include <pthread.h>

void on_play(unsigned turn) {
    (void)turn;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
}
