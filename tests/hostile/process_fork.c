// expect: plays on
// harm: a process of the player runs beside it
// Starts a process, which would think on while the rival is on the move.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    pid_t pid = fork();
    if (pid == 0) {
        nap(5000);
        _exit(0);
    }
    refused("fork", pid);
}
