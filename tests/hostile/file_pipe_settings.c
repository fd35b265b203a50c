// expect: plays on
// harm: the player changes the pipes below the server
// coverage: an instrumented player may open, change and map its profile
// The size of a pipe and what it keeps apart concern both of its ends.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    for (int fd = 3; fd < 16; fd++) {
        int flags = fcntl(fd, F_GETFL);
        if (flags != -1) {
            refused("packets", fcntl(fd, F_SETFL, flags | O_DIRECT));
            refused("F_SETPIPE_SZ", fcntl(fd, F_SETPIPE_SZ, 4096));
            refused("F_SETLEASE", fcntl(fd, F_SETLEASE, F_RDLCK));
        }
    }
}
