// expect: plays on
// options: --memory 64M
/* Uses memory below its limit again and again, and gives it back. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    for (int i = 0; i < 3; i++) {
        char *volatile block = malloc(16 << 20);
        if (block == NULL) {
            harm("16 MiB of 64 were refused");
            return;
        }
        memset(block, 1, 16 << 20);
        free(block);
    }
}
