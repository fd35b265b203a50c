// expect: plays on
// harm: the player hides memory from whoever counts it
// Shared anonymous memory would outlive a fork, and is counted elsewhere than private memory.
#include "hostile.h"

#include <sys/mman.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    void *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    refused("mmap", p == MAP_FAILED ? -1 : 0);
}
