// expect: plays on
// What runtimes, allocators, profilers and sanitizers ask the kernel for, to do without when it has none.
#include "hostile.h"

#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/uio.h>

/* A probe must get an error that such code expects. */
static void probe(char const *what, long result) {
    if (result != -1 || (errno != ENOSYS && errno != EPERM && errno != EACCES)) {
        harm("%s: %ld, error %d", what, result, errno);
    }
}

#define PROBE(number, ...) probe(#number, syscall(number, __VA_ARGS__))

void on_load(void) {
    char memory[256] = {0};
    pid_t const own = getpid();
    PROBE(425 /* io_uring_setup */, 0, 0);
    PROBE(425 /* io_uring_setup */, 8, memory);
    PROBE(426 /* io_uring_enter */, -1, 0, 0, 0, 0, 0);
    PROBE(427 /* io_uring_register */, -1, 8, memory, 0);
    PROBE(434 /* pidfd_open */, own, 0);
    PROBE(435 /* clone3 */, memory, 88);
    PROBE(440 /* process_madvise */, -1, memory, 0, 4, 0);
    PROBE(444 /* landlock_create_ruleset */, NULL, 0, 1);
    PROBE(447 /* memfd_secret */, 0);
    PROBE(448 /* process_mrelease */, -1, 0);
    PROBE(449 /* futex_waitv */, memory, 1, 0, NULL, 0);
    PROBE(451 /* cachestat */, 0, memory, memory, 0);
    PROBE(453 /* map_shadow_stack */, 0, 4096, 0);
    PROBE(454 /* futex_wake */, memory, 1, 1, 0);
    PROBE(457 /* statmount */, memory, memory, sizeof memory, 0);
    PROBE(SYS_seccomp, 2, 0, memory);
    PROBE(SYS_seccomp, 1, 0, NULL);
    PROBE(SYS_kcmp, own, own, 0, 1, 2);
    PROBE(SYS_perf_event_open, memory, 0, -1, -1, 0);
    PROBE(SYS_userfaultfd, 1);
    PROBE(SYS_modify_ldt, 0, memory, sizeof memory);
    PROBE(SYS_keyctl, 0, -3, 0);
    PROBE(SYS_add_key, "user", "name", "x", 1, -2);
    PROBE(SYS_request_key, "user", "name", NULL, -2);
    PROBE(SYS_name_to_handle_at, AT_FDCWD, "/", memory, memory + 128, 0);
    PROBE(SYS_memfd_create, "name", 1);
    PROBE(SYS_get_mempolicy, NULL, NULL, 0, 0, 0);
    PROBE(SYS_mbind, memory, 0, 0, NULL, 0, 0);
    PROBE(SYS_io_setup, 1, memory);
    PROBE(SYS_copy_file_range, 0, NULL, 1, NULL, 1, 0);
    PROBE(SYS_sched_getattr, 0, memory, 56, 0);
    PROBE(SYS_prctl, 21 /* PR_GET_SECCOMP */, 0, 0, 0, 0);
    PROBE(SYS_prctl, 38 /* PR_SET_NO_NEW_PRIVS */, 2, 0, 0, 0);
    probe("adjtimex", adjtimex(&(struct timex){0}));
    /* A number that the caller's headers lack. */
    for (long number = -1; number > -100; number--) {
        if (syscall(number, 0, 0) != -1 || errno != ENOSYS) {
            harm("call %ld: error %d", number, errno);
        }
    }
    /* Whether a pointer of its own can be read, and what its habits are. */
    int value = 42, copy = 0;
    struct iovec here = {&copy, sizeof copy}, there = {&value, sizeof value}, nowhere = {(void *)8, sizeof value};
    if (process_vm_readv(own, &here, 1, &there, 1, 0) != sizeof copy || copy != 42) {
        harm("cannot read its own memory: %d", errno);
    }
    if (process_vm_readv(own, &here, 1, &nowhere, 1, 0) != -1 || errno != EFAULT || personality(0xffffffff) != 0) {
        harm("cannot ask");
    }
}
