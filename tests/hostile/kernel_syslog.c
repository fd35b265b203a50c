// expect: violation in play
// harm: the player reads the messages of the kernel
// The kernel's messages tell of everybody.
#include "hostile.h"

#include <sys/klog.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("syslog", klogctl(10, NULL, 0));
}
