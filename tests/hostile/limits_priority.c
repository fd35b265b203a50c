// expect: plays on
// harm: the player runs before the server and the rival
// Wants to run before everybody else.
#include "hostile.h"

#include <sched.h>
#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    struct sched_param first = {1};
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t times[3];
    } attributes = {sizeof attributes, SCHED_RR, 0, 0, 1, {0}};
    cpu_set_t set;
    int const nicer = nice(5);
    errno = 0;
    if (nice(-5) != -1 || errno == 0) {
        harm("nice(-5) succeeded, after nice(5) gave %d", nicer);
    }
    refused("sched_setscheduler", sched_setscheduler(0, SCHED_FIFO, &first));
    refused("sched_setattr", syscall(SYS_sched_setattr, 0, &attributes, 0));
    refused("ioprio_set", syscall(SYS_ioprio_set, 1, 0, 1 << 13));
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        refused("sched_setaffinity", sched_setaffinity(0, sizeof set, &set));
    }
}
