// expect: plays on
// harm: the server runs again in the player's place
// The server itself must be readable for a player; it must not run as a player's program.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char *arguments[] = {"server", "--version", NULL};
    refused("execve", execve("/proc/self/exe", arguments, environ));
}
