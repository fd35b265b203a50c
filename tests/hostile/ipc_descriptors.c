// expect: plays on
// Pipes and event descriptors: nothing that a thinking player needs.
#include "hostile.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int ends[2];
    refused("pipe", pipe(ends));
    refused("pipe2", pipe2(ends, O_CLOEXEC));
    refused("eventfd", eventfd(0, 0));
    refused("epoll_create1", epoll_create1(0));
    refused("timerfd_create", timerfd_create(CLOCK_MONOTONIC, 0));
    sigset_t none;
    sigemptyset(&none);
    refused("signalfd", signalfd(-1, &none, 0));
}
