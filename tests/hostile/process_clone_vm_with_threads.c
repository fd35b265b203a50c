// expect: plays on
// options: --threads 4
// harm: a process shares the memory of the player and is not counted as a thread
// Where threads are allowed, a process that only looks like one must not be.
#include "shared.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int const shared = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND;
    refused("clone", clone(child, stack + sizeof stack, shared | SIGCHLD, NULL));
    refused("clone with a parent", clone(child, stack + sizeof stack / 2, shared | CLONE_PARENT, NULL));
}
