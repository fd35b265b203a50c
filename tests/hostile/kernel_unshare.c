// expect: violation in play
// harm: the player is root of a namespace of its own
// New namespaces make everybody root of something.
#include "hostile.h"

#include <sched.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("unshare", unshare(CLONE_NEWUSER | CLONE_NEWNS));
}
