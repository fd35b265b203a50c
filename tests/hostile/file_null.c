// expect: plays on
// coverage: an instrumented player may open, change and map its profile
// Writing to the device that drops everything is honest; nothing else can be opened that way.
#include "hostile.h"

#define WORKS(call) ((call) ? (void)0 : harm("refused: %s, error %d", #call, errno))

static char const *const others[] = {"/dev/zero",           "/dev/full",      "/dev/random",
                                     "/dev/urandom",        "/dev/tty",       "/dev/ptmx",
                                     "/dev/console",        "/dev/kmsg",      "/dev",
                                     "/dev/shm",            "/tmp",           "/",
                                     "/proc/self/comm",     "/proc/self/mem", "/proc/self/oom_score_adj",
                                     "/proc/self/clear_refs", "/proc/self/coredump_filter",
                                     "/proc/self/attr/current", "/proc/self/timens_offsets", "/proc/self/sched",
                                     "/proc/self/status",   "/proc/self/maps", "/proc/cpuinfo",
                                     "/etc/ld.so.cache",    "/etc/passwd",    "/usr/lib/x86_64-linux-gnu/libc.so.6",
                                     "/dev/null/file",      "/tmp/amazons-hostile-file_null"};

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char byte = 'x';
    int fd = -1;
    WORKS((fd = open("/dev/null", O_WRONLY)) != -1 && write(fd, &byte, 1) == 1 && close(fd) == 0);
    WORKS((fd = open("/dev/null", O_RDWR | O_CLOEXEC)) != -1 && read(fd, &byte, 1) == 0 && close(fd) == 0);
    WORKS((fd = open("/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0666)) != -1 && close(fd) == 0);
    WORKS((fd = open("/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0666)) != -1 && close(fd) == 0);
    WORKS((fd = open("/proc/self/fd/0", O_WRONLY)) != -1 && write(fd, &byte, 1) == 1 && close(fd) == 0);
    WORKS(freopen("/dev/null", "w", stdout) != NULL && printf("dropped\n") > 0 && fflush(stdout) == 0);
    refused("a device that is removed", unlink("/dev/null"));
    refused("its mode", chmod("/dev/null", 0));
    int const flags[] = {O_WRONLY,           O_RDWR,  O_WRONLY | O_CREAT | O_TRUNC, O_RDWR | O_CREAT | O_EXCL,
                         O_RDONLY | O_TRUNC, O_ACCMODE, O_RDONLY | O_CREAT | O_EXCL,  O_RDWR | O_TMPFILE,
                         O_WRONLY | O_APPEND};
    for (size_t p = 0; p < sizeof others / sizeof *others; p++) {
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
            refused(others[p], open(others[p], flags[i] | O_NONBLOCK | O_NOCTTY, 0600));
        }
        unlink(others[sizeof others / sizeof *others - 1]);
    }
}
