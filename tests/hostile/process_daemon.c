// expect: plays on
// harm: a process is left behind after the game
// A process with a session and a parent of its own would outlive the game.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    pid_t pid = fork();
    if (pid == 0) {
        setsid();
        if (fork() == 0) {
            nap(15000);
        }
        _exit(0);
    }
    refused("fork", pid);
}
