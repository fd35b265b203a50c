// expect: violation in play
// Takes code out of the kernel.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("delete_module", syscall(SYS_delete_module, "amazons_hostile_none", O_NONBLOCK));
}
