// expect: plays on
// harm: the player learns addresses in the rival's memory
// Asks after another process: whether it runs, in which session, how much it has used.
#include "hostile.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    pid_t target = rival();
    struct rusage usage;
    clockid_t clock = (clockid_t)(~(unsigned)target << 3 | 2);
    struct timespec used;
    cpu_set_t set;
    getpgid(target);
    getsid(target);
    getpriority(PRIO_PROCESS, (id_t)target);
    sched_getaffinity(target, sizeof set, &set);
    clock_gettime(clock, &used);
    getrusage(RUSAGE_CHILDREN, &usage);
    /* Numbers of processes can be guessed; addresses in them must stay unknown. */
    for (pid_t pid = getpid() - 30; pid < getpid() + 30; pid++) {
        if (pid > 1 && pid != getpid()) {
            refused("robust list", syscall(SYS_get_robust_list, pid, &(void *){NULL}, &(size_t){0}));
        }
    }
}
