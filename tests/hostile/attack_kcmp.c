// expect: plays on
// harm: the player learns about the rival's descriptors
// Compares kernel addresses of two processes: a way to learn about the rival.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    pid_t target = rival();
    refused("kcmp", syscall(SYS_kcmp, getpid(), target, 0, STDERR_FILENO, STDERR_FILENO));
}
