// expect: violation in play
// Another time of day for all. The time is invalid.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    struct timespec const never = {0, -1};
    refused("clock_settime", syscall(SYS_clock_settime, CLOCK_REALTIME, &never));
}
