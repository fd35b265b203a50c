// expect: violation in play
// harm: the rival is killed and loses the game
// A folder of /proc stands for its process too.
#include "hostile.h"

#include <sys/syscall.h>

enum { PIDFD_SEND_SIGNAL = 424 };

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char path[32];
    snprintf(path, sizeof path, "/proc/%d", (int)rival());
    int fd = open(path, O_RDONLY | O_DIRECTORY);
    refused("pidfd_send_signal", syscall(PIDFD_SEND_SIGNAL, fd, SIGKILL, NULL, 0));
}
