// expect: out_of_memory in play
// options: --memory 64M
// once: it takes much memory
// harm: the machine runs out of memory
/* Takes a little more in every moment, and keeps below what a sudden jump would show. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    for (int i = 0; i < 60; i++) {
        char *volatile block = malloc(4 << 20);
        if (block != NULL) {
            memset(block, 1, 4 << 20);
        }
        nap(10);
    }
}
