// expect: plays on
// Reads its own clocks in every way there is, and sets a timer on each.
#include "hostile.h"
#include <pthread.h>

void on_initialize(void) {
    clockid_t clocks[6] = {CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
    clock_getcpuclockid(0, &clocks[3]);
    clock_getcpuclockid(getpid(), &clocks[4]);
    pthread_getcpuclockid(pthread_self(), &clocks[5]);
    for (unsigned n = 0; n < 6; n++) {
        struct sigevent event = {.sigev_notify = SIGEV_NONE};
        struct timespec now;
        timer_t timer;
        if (clock_gettime(clocks[n], &now) != 0 || timer_create(clocks[n], &event, &timer) != 0) {
            abort();
        }
        timer_delete(timer);
    }
}
