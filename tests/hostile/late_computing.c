// expect: timeout in play
/* Answers a little late, with a legal move: late is late. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    for (clock_t const start = clock(); clock() - start < CLOCKS_PER_SEC / 1000 * 360;) {
    }
}
