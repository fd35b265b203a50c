// expect: violation in play
// Has the kernel write a file about every process.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("acct", acct("/amazons-hostile-kernel_acct"));
}
