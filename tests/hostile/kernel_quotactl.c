// expect: violation in play
// Changes how much others may write.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("quotactl", syscall(SYS_quotactl, 0xffffff00, NULL, 0, NULL));
}
