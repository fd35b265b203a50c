// expect: plays on
// options: --threads 4
// harm: a process of the player runs beside it
// A filter cannot see the flags of clone3: they lie in memory, so all of it must be refused.
#include "hostile.h"

enum { CLONE3 = 435 };

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    uint64_t arguments[8] = {[4] = SIGCHLD};
    long pid = syscall(CLONE3, arguments, sizeof arguments);
    if (pid == 0) {
        nap(5000);
        _exit(0);
    }
    refused("clone3", pid);
}
