// expect: plays on
// harm: the player changes settings of the kernel
// Files of /proc change how the kernel treats this process, or all of them.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char const *const paths[] = {"/proc/self/oom_score_adj",      "/proc/self/clear_refs",
                                 "/proc/self/coredump_filter",    "/proc/self/uid_map",
                                 "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        refused(paths[i], open(paths[i], O_WRONLY));
    }
}
