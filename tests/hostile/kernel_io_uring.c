// expect: plays on
// harm: the player has system calls run that nobody watches
// Rings run system calls where no filter sees them.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    uint32_t parameters[30] = {0};
    refused("io_uring_setup", syscall(425, 4, parameters));
}
