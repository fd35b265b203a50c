// expect: plays on
// harm: the next request to the player kills the rival
// coverage: an instrumented player may open, change and map its profile
// A descriptor can send signals to whom it is told: the next request would kill the rival.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    for (int fd = 0; fd < 16; fd++) {
        refused("F_SETSIG", fcntl(fd, F_SETSIG, SIGKILL));
        refused("F_SETOWN", fcntl(fd, F_SETOWN, rival()));
        refused("O_ASYNC", fcntl(fd, F_SETFL, O_ASYNC));
    }
}
