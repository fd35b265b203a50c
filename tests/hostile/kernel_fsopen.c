// expect: violation in play
// harm: the player makes file systems
// The new way to mount is made of other calls.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("fsopen", syscall(430, "tmpfs", 0));
}
