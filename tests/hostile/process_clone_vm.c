// expect: plays on
// harm: a process shares the memory of the player and is not counted as a thread
// A process that shares this one's memory without being one of its threads: it could answer for it.
#include "shared.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("clone", clone(child, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD, NULL));
}
