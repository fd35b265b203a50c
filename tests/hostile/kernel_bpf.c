// expect: violation in play
// harm: the player loads programs into the kernel
// Programs inside the kernel.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    uint64_t map[16] = {(uint64_t)4 << 32 | 2, (uint64_t)1 << 32 | 8};
    refused("bpf", syscall(SYS_bpf, 0, map, sizeof map));
}
