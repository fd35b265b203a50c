// expect: plays on
// harm: the rival is killed and loses the game
// The old call names only a thread, so no filter can tell whose it is.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("tkill", syscall(SYS_tkill, rival(), SIGKILL));
    /* The kernel must not even be asked. */
    for (pid_t pid = getpid() - 50; pid < getpid() + 50; pid++) {
        if (pid > 0 && pid != getpid() && (syscall(SYS_tkill, pid, 0) != -1 || errno != EPERM)) {
            harm("reached %d", (int)pid);
        }
    }
}
