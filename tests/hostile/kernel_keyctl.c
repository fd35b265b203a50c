// expect: plays on
// harm: the player keeps data in the kernel
// Keys in the kernel outlive the process and are shared by all of a user's.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("keyctl", syscall(SYS_keyctl, 0, -3, 1));
}
