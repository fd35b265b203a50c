// expect: plays on
// What honest players do must work in a sandbox too.
#include "hostile.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/random.h>

#define WORKS(call) ((call) ? (void)0 : harm("refused: %s, error %d", #call, errno))

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    struct timespec moment, short_nap = {0, 1000000};
    char bytes[8];
    struct tm parts;
    time_t const zero = 0;
    cpu_set_t set;
    WORKS(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &moment) == 0);
    WORKS(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &moment) == 0);
    WORKS(nanosleep(&short_nap, NULL) == 0);
    WORKS(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
    WORKS(sysconf(_SC_NPROCESSORS_ONLN) > 0 && sysconf(_SC_PAGESIZE) > 0);
    WORKS(sched_getaffinity(0, sizeof set, &set) == 0 && sched_yield() == 0);
    WORKS(localtime_r(&zero, &parts) != NULL);
    WORKS(kill(getpid(), 0) == 0 && raise(SIGCONT) == 0);
    WORKS(!isatty(STDOUT_FILENO) && errno == ENOTTY);
    WORKS(open("/dev/urandom", O_RDONLY | O_CLOEXEC) != -1);
    WORKS(open("/proc/self/status", O_RDONLY) != -1 && open("/proc/cpuinfo", O_RDONLY) != -1);
    WORKS(access("/nonexistent", F_OK) == -1 && errno == ENOENT);
    WORKS(printf("written\n") > 0 && fflush(stdout) == 0);
    void *block = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    WORKS(block != MAP_FAILED && (block = mremap(block, 1 << 20, 1 << 21, MREMAP_MAYMOVE)) != MAP_FAILED);
    WORKS(madvise(block, 1 << 20, MADV_DONTNEED) == 0 && munmap(block, 1 << 21) == 0);
}
