// expect: violation in play
// harm: the player copies trees of mounts
// Copies a tree of mounts, to which no rule about paths applies.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("open_tree", syscall(428, AT_FDCWD, "/", 1 | O_CLOEXEC));
}
