// expect: violation in play
// harm: the player takes the server's descriptors
// Takes the pipe of the rival out of the server, to answer in its place.
#include "hostile.h"

#include <sys/syscall.h>

enum { PIDFD_OPEN = 434, PIDFD_GETFD = 438 };

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int server = (int)syscall(PIDFD_OPEN, getppid(), 0);
    for (int fd = 0; fd < 16; fd++) {
        refused("pidfd_getfd", syscall(PIDFD_GETFD, server, fd, 0));
    }
}
