// expect: plays on
// As many descriptors of every kind as there are to be had, and never closes them.
#include "hostile.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

enum { MAX_DESCRIPTORS = 64 };

void on_play(unsigned turn) {
    int highest = 0, made = 0, ends[2];
    for (int kind = turn % 4; made < 100000; kind++, made++) {
        int fd = -1;
        switch (kind % 5) {
        case 0: fd = epoll_create1(0); break;
        case 1: fd = eventfd(1, EFD_SEMAPHORE); break;
        case 2: fd = timerfd_create(CLOCK_MONOTONIC, 0); break;
        case 3: fd = pipe(ends) == 0 ? ends[1] : -1; break;
        case 4: fd = open("/dev/null", O_RDWR); break;
        }
        if (fd == -1 && kind % 5 != 3) {
            break;
        }
        highest = fd > highest ? fd : highest;
    }
    if (highest >= MAX_DESCRIPTORS || made >= MAX_DESCRIPTORS) {
        harm("%d descriptors, up to %d", made, highest);
    }
}
