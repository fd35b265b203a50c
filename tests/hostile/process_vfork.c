// expect: plays on
// harm: a process of the player runs beside it
// Starts a process that borrows this one's memory.
#include "hostile.h"

#include <sys/wait.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    pid_t pid = vfork();
    if (pid == 0) {
        _exit(0);
    }
    refused("vfork", pid);
}
