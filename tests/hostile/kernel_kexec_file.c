// expect: violation in play
// Another kernel, from a file. The flags are invalid.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("kexec_file_load", syscall(SYS_kexec_file_load, -1, -1, 0, NULL, ~0ul));
}
