// expect: plays on
// harm: another program runs beside the player
// Starts a program through posix_spawn, which glibc builds on clone3 or clone.
#include "hostile.h"

#include <spawn.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char *arguments[] = {"sleep", "5", NULL};
    pid_t pid;
    if (posix_spawn(&pid, "/bin/sleep", NULL, NULL, arguments, environ) == 0) {
        harm("started process %d", (int)pid);
    }
}
