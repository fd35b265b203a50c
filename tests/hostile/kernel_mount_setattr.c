// expect: violation in play
// Makes mounts writable again.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("mount_setattr", syscall(442, -1, "", 0, NULL, 0));
}
