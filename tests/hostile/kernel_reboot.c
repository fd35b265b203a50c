// expect: violation in play
// Ends more than the game. The magic numbers are wrong.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("reboot", syscall(SYS_reboot, 0, 0, 0, NULL));
}
