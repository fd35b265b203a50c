// expect: plays on
// An event loop of its own is honest: libuv, tokio, asio and Go's and Haskell's runtimes are built on these calls.
#include "hostile.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#define WORKS(call) ((call) ? (void)0 : harm("refused: %s, error %d", #call, errno))

static int set, timer, bell, ends[2];

void on_initialize(void) {
    WORKS((set = epoll_create1(EPOLL_CLOEXEC)) != -1 && epoll_create(1) != -1);
    WORKS((timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) != -1);
    WORKS((bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) != -1);
    WORKS(pipe2(ends, O_CLOEXEC) == 0 && fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK) == 0);
    WORKS((fcntl(ends[0], F_GETFL) & O_NONBLOCK) != 0);
    int const sources[] = {timer, bell, ends[0]};
    for (int i = 0; i < 3; i++) {
        struct epoll_event event = {EPOLLIN, {.fd = sources[i]}};
        WORKS(epoll_ctl(set, EPOLL_CTL_ADD, sources[i], &event) == 0);
    }
    /* What is no event is told apart by the kernel's usual error. */
    WORKS(epoll_ctl(set, EPOLL_CTL_ADD, STDERR_FILENO, &(struct epoll_event){EPOLLIN, {0}}) == -1 && errno == EPERM);
}

void on_play(unsigned turn) {
    struct itimerspec const soon = {{0, 0}, {0, 1000000}};
    struct epoll_event event;
    uint64_t count = turn + 1;
    char byte = 'x';
    WORKS(timerfd_settime(timer, 0, &soon, NULL) == 0 && epoll_wait(set, &event, 1, 200) == 1 && event.data.fd == timer);
    WORKS(read(timer, &count, sizeof count) == sizeof count && count == 1);
    count = turn + 1;
    WORKS(write(bell, &count, sizeof count) == sizeof count && epoll_pwait(set, &event, 1, 200, NULL) == 1);
    WORKS(event.data.fd == bell && read(bell, &count, sizeof count) == sizeof count && count == turn + 1);
    WORKS(write(ends[1], &byte, 1) == 1 && epoll_wait(set, &event, 1, 200) == 1 && event.data.fd == ends[0]);
    WORKS(read(ends[0], &byte, 1) == 1 && epoll_wait(set, &event, 1, 1) == 0);
}
