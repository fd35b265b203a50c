// expect: violation in play
// harm: the rival is killed and loses the game
// Signals a thread of the rival.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    pid_t target = rival();
    refused("tgkill", syscall(SYS_tgkill, target, target, SIGKILL));
}
