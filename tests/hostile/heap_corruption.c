// expect: crash in play
/* Writes far beyond a block, over the books of malloc, which the server uses in the same process. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    for (int i = 0; i < 64; i++) {
        unsigned char *volatile block = malloc(24);
        for (int volatile at = -16; at < 4096; at++) {
            block[at] = 0xff;
        }
    }
    free(malloc(100000));
}
