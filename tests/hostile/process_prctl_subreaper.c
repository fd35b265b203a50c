// expect: plays on
// harm: the player becomes the parent of lost processes
// Wants to be the parent of processes that lost theirs.
#include "hostile.h"

#include <sys/prctl.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("prctl", prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L));
}
