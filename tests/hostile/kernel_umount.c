// expect: violation in play
// Takes a file system away.
#include "hostile.h"

#include <sys/mount.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("umount2", umount2("/amazons-hostile-kernel_umount", MNT_DETACH));
}
