// expect: plays on
// harm: the player takes memory that nobody gets back
// Locked memory cannot be swapped out, so that everybody else is.
#include "hostile.h"

#include <sys/mman.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    static char page[4096];
    refused("mlockall", mlockall(MCL_CURRENT | MCL_FUTURE));
    refused("mlock", mlock(page, sizeof page));
    void *locked = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1, 0);
    refused("a locked mapping", locked == MAP_FAILED ? -1 : 0);
}
