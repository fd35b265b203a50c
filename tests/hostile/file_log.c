// expect: plays on
// harm: the player takes back what its log says
// coverage: an instrumented player may open, change and map its profile
// Takes back what it has printed, or makes the log longer than its limit.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    fprintf(stderr, "said\n");
    off_t end = lseek(STDERR_FILENO, 0, SEEK_END);
    refused("ftruncate to the present size", ftruncate(STDERR_FILENO, end < 0 ? 0 : end));
    refused("fallocate", fallocate(STDERR_FILENO, FALLOC_FL_KEEP_SIZE, 0, 1 << 16));
    refused("a seal", fcntl(STDERR_FILENO, F_ADD_SEALS, F_SEAL_SHRINK));
}
