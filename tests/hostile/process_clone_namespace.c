// expect: plays on
// options: --threads 4
// harm: a thread of the player has a network of its own
// A thread in namespaces of its own could mount file systems and open sockets there.
#include "shared.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int const thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    refused("clone", clone(child, stack + sizeof stack, thread | CLONE_NEWNET | CLONE_NEWUTS, NULL));
}
