// expect: plays on
// Fills pipes and keeps one end of each: memory of the kernel that no process is charged for.
#include "hostile.h"

enum { MAX_BYTES = 64 * (64 << 10) };

static long held;

void on_play(unsigned turn) {
    static char block[4096];
    int ends[2];
    if (turn != 0) {
        return;
    }
    while (pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0) {
        refused("a larger pipe", fcntl(ends[1], F_SETPIPE_SZ, 1 << 20));
        for (ssize_t len; (len = write(ends[1], block, sizeof block)) > 0;) {
            held += len;
        }
        close(ends[1]);
    }
    if (held == 0 || held > MAX_BYTES) {
        harm("%ld bytes in pipes", held);
    }
}
