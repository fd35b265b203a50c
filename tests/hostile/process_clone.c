// expect: plays on
// harm: a process of the player runs beside it
// Starts a process through the bare system call, past what the C library would check.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    long pid = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid == 0) {
        nap(5000);
        _exit(0);
    }
    refused("clone", pid);
}
