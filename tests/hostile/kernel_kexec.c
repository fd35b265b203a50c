// expect: violation in play
// Another kernel. Number and flags are invalid.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("kexec_load", syscall(SYS_kexec_load, 0, ~0ul, NULL, ~0ul));
}
