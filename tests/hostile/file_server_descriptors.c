// expect: plays on
// harm: the player writes to the server's output and pipes
// The server's own output and logs, by its descriptors.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char path[64];
    for (int fd = 0; fd < 24; fd++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getppid(), fd);
        refused(path, open(path, O_WRONLY | O_APPEND | O_NONBLOCK));
    }
}
