// expect: plays on
// harm: another program takes the player's place
// Becomes another program, with the pipes to the server in its hands.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char *arguments[] = {"sh", "-c", "echo HARM: another program runs >&2", NULL};
    refused("execve", execve("/bin/sh", arguments, environ));
}
