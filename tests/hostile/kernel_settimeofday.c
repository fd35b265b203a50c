// expect: violation in play
// The same by its old name; without a time it changes nothing.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("settimeofday", syscall(SYS_settimeofday, NULL, NULL));
}
