// expect: violation in play
// Swaps to a file of its choice.
#include "hostile.h"

#include <sys/swap.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("swapon", swapon("/amazons-hostile-kernel_swapon", 0));
}
