// expect: violation in play
// x32 has an execve of its own, with a number of its own.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char *arguments[] = {"sh", "-c", "echo HARM: a shell runs >&2", NULL};
    refused("execve", syscall(0x40000000L + 520, "/bin/sh", arguments, environ));
}
