// expect: violation in play
// harm: the rival is killed and loses the game
// The old call names only a thread, so no filter can tell whose it is.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("tkill", syscall(SYS_tkill, rival(), SIGKILL));
}
