// expect: violation in play
// harm: the rival is killed and loses the game
// A descriptor for a process is a handle to signal it, and to take its descriptors.
#include "hostile.h"

#include <sys/syscall.h>

enum { PIDFD_SEND_SIGNAL = 424, PIDFD_OPEN = 434 };

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int fd = (int)syscall(PIDFD_OPEN, rival(), 0);
    if (fd != -1) {
        refused("pidfd_send_signal", syscall(PIDFD_SEND_SIGNAL, fd, SIGKILL, NULL, 0));
    }
}
