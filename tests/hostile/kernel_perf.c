// expect: plays on
// harm: the player watches the kernel and other processes
// Counters of the processor leak what others do, and have opened many holes.
#include "hostile.h"

#include <sys/syscall.h>

void on_initialize(void) {
    uint32_t event[32] = {1, sizeof event};
    refused("perf_event_open", syscall(SYS_perf_event_open, event, 0, -1, -1, 0));
}
