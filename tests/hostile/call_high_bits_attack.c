// expect: violation in play
// harm: the player makes any system call
// The kernel drops the upper half of a number, for attacks as well.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("unshare", syscall(0x7fffffffL << 32 | SYS_unshare, 0));
}
