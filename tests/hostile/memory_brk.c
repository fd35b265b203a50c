// expect: out_of_memory in play
// options: --memory 64M
// once: it takes much memory
// harm: the machine runs out of memory
/* Takes memory by moving the end of its data, behind the back of malloc. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    for (int i = 0; i < 1024; i++) {
        char *const block = sbrk(1 << 20);
        if (block == (void *)-1) {
            break;
        }
        memset(block, 1, 1 << 20);
    }
    nap(100);
}
