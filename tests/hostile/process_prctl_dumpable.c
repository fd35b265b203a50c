// expect: plays on
// harm: processes of the same user may read the player's memory
// Lets other processes of the same user look into this one: two players could talk through it.
#include "hostile.h"

#include <sys/prctl.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("prctl", prctl(PR_SET_DUMPABLE, 1L, 0L, 0L, 0L));
}
