// expect: crash in play, signal SIGABRT
// Aborts as musl and Zig do: by the old call, which names a thread, with all signals blocked.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    (void)turn;
    sigset_t all, abort_only;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    if (syscall(SYS_tkill, syscall(SYS_gettid), SIGABRT) != 0) {
        harm("tkill of itself: %d", errno);
    }
    sigemptyset(&abort_only);
    sigaddset(&abort_only, SIGABRT);
    sigprocmask(SIG_UNBLOCK, &abort_only, NULL);
}
