// expect: plays on
// harm: the player lifts its own limits
// coverage: an instrumented player may open, change and map its profile
// The kernel drops the upper half of numbers; a filter that looks at all of it can be fooled.
#include "hostile.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    struct rlimit const all = {RLIM_INFINITY, RLIM_INFINITY};
    long const high = 1L << 32;
    char const *path = "/tmp/amazons-hostile-limits_high_bits";
    refused("prlimit64", syscall(SYS_prlimit64, high, RLIMIT_CORE, &all, NULL));
    refused("openat", syscall(SYS_openat, high | (unsigned)AT_FDCWD, path, high | O_WRONLY | O_CREAT, 0600));
    refused("fcntl", syscall(SYS_fcntl, STDERR_FILENO, high | F_SETFL, high | O_ASYNC));
    refused("prctl", syscall(SYS_prctl, high | PR_SET_DUMPABLE, 1, 0, 0, 0));
    unlink(path);
}
