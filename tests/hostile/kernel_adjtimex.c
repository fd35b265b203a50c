// expect: plays on
// Makes clocks run faster. The tick is invalid.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    uint64_t change[26] = {0x4000};
    refused("adjtimex", syscall(SYS_adjtimex, change));
}
