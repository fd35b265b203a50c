// expect: plays on
// harm: another program takes the player's place
// The dynamic loader must be readable for a player; it must still not run programs.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char *arguments[] = {"loader", "/bin/echo", "HARM: another program runs", NULL};
    refused("execve", execve("/lib64/ld-linux-x86-64.so.2", arguments, environ));
    refused("execve", execve("/lib/ld-linux-aarch64.so.1", arguments, environ));
}
