// expect: violation in play
// harm: the player may talk to the ports of the machine
// Talks to one port of the machine.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("ioperm", syscall(SYS_ioperm, 0x80, 1, 1));
}
