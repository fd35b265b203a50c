// expect: violation in play
// harm: the rival is killed and loses the game
// Signals can be queued to one thread of the rival.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    pid_t target = rival();
    siginfo_t info = {.si_signo = SIGKILL, .si_code = SI_QUEUE};
    refused("rt_tgsigqueueinfo", syscall(SYS_rt_tgsigqueueinfo, target, target, SIGKILL, &info));
}
