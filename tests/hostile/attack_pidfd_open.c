// expect: plays on
// harm: the rival is killed and loses the game
// A descriptor for a process is a handle to signal it, and to take its descriptors.
#include "hostile.h"

#include <sys/syscall.h>

enum { PIDFD_SEND_SIGNAL = 424, PIDFD_OPEN = 434 };

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    pid_t const processes[] = {getpid(), getppid(), rival()};
    for (size_t i = 0; i < sizeof processes / sizeof *processes; i++) {
        int fd = (int)syscall(PIDFD_OPEN, processes[i], 0);
        refused("pidfd_open", fd);
        if (fd != -1 && i == 2) {
            refused("pidfd_send_signal", syscall(PIDFD_SEND_SIGNAL, fd, SIGKILL, NULL, 0));
        }
    }
}
