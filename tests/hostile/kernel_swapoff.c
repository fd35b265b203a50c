// expect: violation in play
// Takes the swap space away.
#include "hostile.h"

#include <sys/swap.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("swapoff", swapoff("/amazons-hostile-kernel_swapoff"));
}
