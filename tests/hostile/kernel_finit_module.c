// expect: violation in play
// Code inside the kernel, from a file.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("finit_module", syscall(SYS_finit_module, -1, "", 0));
}
