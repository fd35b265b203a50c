// expect: plays on
// Makes clocks run faster, by the newer call. The clock is invalid.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    uint64_t change[26] = {0x4000};
    refused("clock_adjtime", syscall(SYS_clock_adjtime, 99, change));
}
