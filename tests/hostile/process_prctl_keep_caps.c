// expect: plays on
// Wants to keep capabilities over a change of user.
#include "hostile.h"

#include <sys/prctl.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("prctl", prctl(PR_SET_KEEPCAPS, 1L, 0L, 0L, 0L));
}
