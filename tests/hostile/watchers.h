/* Sets of watched descriptors, as many and as full as a player can make them. */
#ifndef AMAZONS_HOSTILE_WATCHERS_H
#define AMAZONS_HOSTILE_WATCHERS_H

#include "hostile.h"

#include <sys/epoll.h>

/* Of each kind: both fit below the limit of 64, beside the streams and one number to work with. */
enum { EACH = 28, SPARE = 63, HIGHEST_WATCHED = 15 };

static int sets[EACH], watched[EACH], watches;

/* Watches a descriptor; only low numbers can be. */
static MAYBE_UNUSED void watch(int set, int fd) {
    struct epoll_event event = {EPOLLIN | EPOLLOUT | EPOLLET, {0}};
    if (epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) != 0) {
        return;
    }
    watches++;
    if (fd > HIGHEST_WATCHED) {
        harm("watches number %d", fd);
    }
}

/* Watches each of these from every set under every number that it can have; what is moved on the way moves back. */
static MAYBE_UNUSED void watch_all(int const *fds) {
    for (int i = 0; i < EACH; i++) {
        watched[i] = fds[i];
        sets[i] = epoll_create1(EPOLL_CLOEXEC);
        if (watched[i] == -1 || sets[i] == -1) {
            harm("descriptors were refused: %d", errno);
            return;
        }
    }
    for (int i = 0; i < EACH; i++) {
        for (int number = 0; number < SPARE; number++) {
            if (number == 3 || number == 4 || number == watched[i] || dup2(number, SPARE) == -1) {
                continue;
            }
            dup2(watched[i], number);
            for (int k = 0; k < EACH; k++) {
                watch(sets[k] == number ? SPARE : sets[k], number);
            }
            dup2(SPARE, number);
            close(SPARE);
        }
        for (int k = 0; k < EACH; k++) {
            watch(sets[k], watched[i]);
        }
    }
    if (watches < EACH * EACH * 10) {
        harm("only %d watches: this tries nothing", watches);
    }
}

#endif
