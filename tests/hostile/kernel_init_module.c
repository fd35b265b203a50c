// expect: violation in play
// Code inside the kernel.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("init_module", syscall(SYS_init_module, NULL, 0, ""));
}
