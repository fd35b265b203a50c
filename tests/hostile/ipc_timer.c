// expect: plays on
// build: -lrt
// A timer that interrupts the search is honest: players end their thinking that way.
#include "hostile.h"

static volatile sig_atomic_t rang;

static void on_alarm(int signal) {
    rang = signal;
}

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct itimerspec const soon = {.it_value = {0, 5000000}};
    timer_t timer;
    signal(SIGUSR1, on_alarm);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &soon, NULL) != 0) {
        harm("an honest timer was refused");
        return;
    }
    nap(50);
    timer_delete(timer);
    if (rang != SIGUSR1) {
        harm("an honest timer did not ring");
    }
}
