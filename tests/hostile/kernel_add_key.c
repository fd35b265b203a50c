// expect: plays on
// harm: the player keeps data in the kernel
// Adds a key: data that waits for the next game.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("add_key", syscall(SYS_add_key, "user", "amazons-hostile", "x", 1, -2));
}
