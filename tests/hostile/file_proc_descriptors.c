// expect: plays on
// harm: the player reopens its log and the pipes as it likes
// coverage: an instrumented player may open, change and map its profile
// Opens its own descriptors again, for more than they were opened for, or to empty the log.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    fprintf(stderr, "said\n");
    int const flags[] = {O_RDWR, O_WRONLY, O_RDWR | O_TRUNC, O_WRONLY | O_CREAT | O_TRUNC, O_RDONLY | O_TRUNC, O_ACCMODE};
    for (int fd = 1; fd < 16; fd++) {
        char paths[4][64];
        snprintf(paths[0], sizeof *paths, "/proc/self/fd/%d", fd);
        snprintf(paths[1], sizeof *paths, "/proc/self/task/%d/fd/%d", (int)getpid(), fd);
        snprintf(paths[2], sizeof *paths, "/proc/%d/fd/%d", (int)getpid(), fd);
        snprintf(paths[3], sizeof *paths, fd == 1 ? "/dev/stdout" : fd == 2 ? "/dev/stderr" : "/dev/fd/%d", fd);
        for (size_t p = 0; p < 4; p++) {
            for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
                refused(paths[p], open(paths[p], flags[i] | O_NONBLOCK, 0600));
            }
        }
    }
    struct stat log;
    if (fstat(STDERR_FILENO, &log) != 0 || log.st_size < 5) {
        harm("the log was emptied");
    }
}
