// expect: violation in play
// The same call without a handle: what it is asked for must not matter.
#include "hostile.h"

#include <sys/syscall.h>

enum { PIDFD_GETFD = 438 };

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("pidfd_getfd", syscall(PIDFD_GETFD, STDERR_FILENO, 0, 0));
}
