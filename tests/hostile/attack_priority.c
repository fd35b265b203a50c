// expect: plays on
// harm: the rival runs last, on one processor
// A rival that runs last, or on one crowded processor, thinks less far.
#include "hostile.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    pid_t target = rival();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    struct sched_param idle = {0};
    unsigned long nodes = 1;
    refused("setpriority", setpriority(PRIO_PROCESS, (id_t)target, 19));
    refused("sched_setaffinity", sched_setaffinity(target, sizeof one, &one));
    refused("sched_setscheduler", sched_setscheduler(target, SCHED_IDLE, &idle));
    refused("ioprio_set", syscall(SYS_ioprio_set, 1, target, 3 << 13));
    refused("migrate_pages", syscall(SYS_migrate_pages, target, 8, &nodes, &nodes));
    refused("move_pages", syscall(SYS_move_pages, target, 0, NULL, NULL, NULL, 0));
}
