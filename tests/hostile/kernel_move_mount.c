// expect: violation in play
// Moves a mount.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("move_mount", syscall(429, -1, "", -1, "", 0));
}
