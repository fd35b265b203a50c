// expect: violation in play
// harm: the server is killed, the game has no result
// The kernel drops the upper half of a process number; a filter must not be fooled by it.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("kill", syscall(SYS_kill, (1L << 32) | getppid(), SIGTERM));
}
