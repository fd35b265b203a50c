// expect: plays on
// harm: the player lifts its own limits
// Raises its own limits: stack, file size, descriptors, core dumps.
#include "hostile.h"

#include <sys/resource.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    struct {
        char const *name;
        int limit;
    } const limits[] = {{"stack", RLIMIT_STACK},   {"file size", RLIMIT_FSIZE}, {"descriptors", RLIMIT_NOFILE},
                        {"core dumps", RLIMIT_CORE}, {"memory", RLIMIT_AS},       {"data", RLIMIT_DATA},
                        {"locked", RLIMIT_MEMLOCK},  {"processes", RLIMIT_NPROC}, {"time", RLIMIT_CPU}};
    struct rlimit const all = {RLIM_INFINITY, RLIM_INFINITY};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit present;
        refused(limits[i].name, setrlimit(limits[i].limit, &all));
        refused(limits[i].name, prlimit(getpid(), limits[i].limit, &all, NULL));
        if (prlimit(0, limits[i].limit, NULL, &present) != 0) {
            harm("its own limit of %s cannot be read", limits[i].name);
        }
    }
}
