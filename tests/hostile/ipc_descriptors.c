// expect: plays on
// Descriptors of the rarer kinds, which a thinking player does not need.
#include "hostile.h"

#include <sys/signalfd.h>
#include <sys/timerfd.h>

enum { NOTIFICATIONS = O_EXCL };

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int ends[2];
    refused("a pipe of packets", pipe2(ends, O_DIRECT));
    refused("a queue of the kernel's notifications", pipe2(ends, NOTIFICATIONS));
    refused("a timer that wakes the machine", timerfd_create(CLOCK_REALTIME_ALARM, 0));
    refused("a timer that wakes the machine", timerfd_create(CLOCK_BOOTTIME_ALARM, 0));
    sigset_t none;
    sigemptyset(&none);
    refused("signalfd", signalfd(-1, &none, 0));
}
