// expect: plays on
// harm: the player makes segments of its own
// Segments of its own, a rarely used corner with a long history of holes.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    uint32_t segment[4] = {0, 0, 0xfffff, 0x51};
    refused("modify_ldt", syscall(SYS_modify_ldt, 1, segment, sizeof segment));
}
