// expect: plays on
// harm: a process shares the memory of the player and is not counted as a thread
// A process that shares this one's memory without being one of its threads: it could answer for it.
#include "hostile.h"

#include <sched.h>
#include <sys/syscall.h>

static int child(void *unused) {
    (void)unused;
    syscall(SYS_exit, 0);
    return 0;
}

static char stack[1 << 16] __attribute__((aligned(16)));

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("clone", clone(child, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD, NULL));
}
