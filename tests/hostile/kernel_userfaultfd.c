// expect: plays on
// harm: the player stops the kernel in the middle of a call
// Stops the kernel in the middle of a call for as long as the player likes.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC));
}
