// expect: plays on
// coverage: an instrumented player may open, change and map its profile
// Watches all that it can find and rings: nothing but itself may wake.
#include "hostile.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

void on_play(unsigned turn) {
    struct epoll_event event = {EPOLLIN | EPOLLOUT | EPOLLET | EPOLLRDHUP, {0}};
    static int set = -1;
    if (turn != 0) {
        struct epoll_event events[16];
        epoll_wait(set, events, 16, 0);
        return;
    }
    set = epoll_create1(0);
    int const bell = eventfd(0, 0);
    if (set == -1 || bell == -1) {
        harm("descriptors were refused");
    }
    for (int fd = 0; fd < 64; fd++) {
        epoll_ctl(set, EPOLL_CTL_ADD, fd, &event);
    }
    /* Its parent's and the rival's, by the names that processes have for them. */
    for (int fd = 0; fd < 32; fd++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)(fd % 2 == 0 ? getppid() : rival()), fd / 2);
        refused(path, open(path, O_RDWR | O_NONBLOCK));
    }
    refused("a second bell", open("/proc/self/fd/5", O_RDWR));
    refused("a signal on events", fcntl(bell, F_SETFL, O_ASYNC));
    uint64_t const most = UINT64_MAX - 1;
    if (write(bell, &most, sizeof most) != sizeof most) {
        harm("cannot ring");
    }
}
