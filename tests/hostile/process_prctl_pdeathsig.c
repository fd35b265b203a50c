// expect: plays on
// harm: the player outlives a server that is killed
// Wants to live on when the server is gone.
#include "hostile.h"

#include <sys/prctl.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("prctl", prctl(PR_SET_PDEATHSIG, 0L, 0L, 0L, 0L));
}
