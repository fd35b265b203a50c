// expect: out_of_memory in play
// options: --memory 64M
// once: it takes much memory
// harm: the machine runs out of memory
/* Takes memory in small blocks until it is stopped; others on the machine need it. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    for (size_t taken = 0; taken < (size_t)2 << 30; taken += 1 << 16) {
        char *volatile block = malloc(1 << 16);
        if (block == NULL) {
            nap(10); /* refused: what is taken stays taken */
        } else {
            memset(block, 1, 1 << 16);
        }
    }
}
