// expect: plays on
// harm: the player filters the system calls of the code around it
// Filters of its own could turn the sandbox's kills into errors.
#include "hostile.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

void on_load(void) {
    struct sock_filter allow = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
    struct sock_fprog program = {1, &allow};
    refused("seccomp", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}
