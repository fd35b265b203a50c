// expect: plays on
// harm: the player reopens its log and the pipes as it likes
// coverage: an instrumented player may open, change and map its profile
// Opens its own descriptors again, for more than they were opened for.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char path[32];
    for (int fd = 0; fd < 16; fd++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        refused(path, open(path, O_RDWR | O_NONBLOCK));
        refused(path, open(path, O_WRONLY | O_NONBLOCK));
    }
}
