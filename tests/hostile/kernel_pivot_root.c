// expect: violation in play
// Another root folder for all.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char const *const nowhere = "/amazons-hostile-kernel_pivot_root";
    refused("pivot_root", syscall(SYS_pivot_root, nowhere, nowhere));
}
