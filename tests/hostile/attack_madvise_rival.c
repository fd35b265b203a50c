// expect: plays on
// Has the rival's memory written out, so that it waits for the disk.
#include "hostile.h"

#include <sys/syscall.h>

enum { PROCESS_MADVISE = 440 };

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    struct iovec all = {(void *)4096, 1 << 20};
    refused("process_madvise", syscall(PROCESS_MADVISE, STDERR_FILENO, &all, 1, 21, 0));
}
