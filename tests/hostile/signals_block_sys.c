// expect: violation in play
// harm: nothing answers a forbidden call
/* Blocks the signal by which the sandbox ends it, then does what is forbidden. */
#include "hostile.h"
#include <sys/ptrace.h>

void on_play(unsigned turn) {
    (void)turn;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    /* Not traced, so this fails where it is allowed. */
    ptrace(PTRACE_PEEKUSER, getppid(), NULL, NULL);
}
