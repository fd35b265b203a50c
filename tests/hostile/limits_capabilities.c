// expect: plays on
// harm: the player has all of root's capabilities
// Gives itself every capability.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    uint32_t head[2] = {0x20080522, 0};
    uint32_t all[6] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
    uint32_t mine[6] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
    refused("capset", syscall(SYS_capset, head, all));
    head[0] = 0x20080522;
    if (syscall(SYS_capget, head, mine) == 0 && (mine[0] | mine[1] | mine[3] | mine[4]) != 0) {
        refused("keeping what it has", syscall(SYS_capset, head, mine));
        harm("the player has capabilities: %x %x", (unsigned)mine[0], (unsigned)mine[3]);
    }
}
