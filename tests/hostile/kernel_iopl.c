// expect: violation in play
// harm: the player may talk to the ports of the machine
// Talks to the ports of the machine.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("iopl", syscall(SYS_iopl, 3));
}
