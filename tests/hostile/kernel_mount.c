// expect: violation in play
// A file system over another hides and replaces files.
#include "hostile.h"

#include <sys/mount.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("mount", mount("none", "/amazons-hostile-kernel_mount", "tmpfs", 0, NULL));
}
