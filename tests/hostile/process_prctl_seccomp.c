// expect: plays on
// harm: the player filters the system calls of the code around it
// A filter of its own could turn the sandbox's kills into errors, so prctl must not set one.
#include "hostile.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    struct sock_filter allow = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
    struct sock_fprog program = {1, &allow};
    refused("prctl", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0L, 0L));
}
