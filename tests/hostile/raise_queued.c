// expect: plays on
// Queues signals with a value to itself, as pthread_sigqueue and some timers of libraries do.
#include "hostile.h"

#include <pthread.h>

static volatile sig_atomic_t sum;

static void add(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)context;
    sum += info->si_value.sival_int;
}

void on_play(unsigned turn) {
    struct sigaction action = {.sa_sigaction = add, .sa_flags = SA_SIGINFO};
    if (turn != 0) {
        return;
    }
    sigaction(SIGUSR1, &action, NULL);
    if (sigqueue(getpid(), SIGUSR1, (union sigval){30}) != 0 ||
        pthread_sigqueue(pthread_self(), SIGUSR1, (union sigval){12}) != 0 || sum != 42) {
        harm("%d arrived: error %d", (int)sum, errno);
    }
}
