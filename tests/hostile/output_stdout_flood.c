// expect: plays on
/* Writes far more to stdout than a log may hold: neither disk nor server may fill up. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    static char block[1 << 16];
    memset(block, 'x', sizeof block);
    for (int i = 0; i < 200; i++) {
        if (write(1, block, sizeof block) == -1) {
            break;
        }
    }
}
