// expect: plays on
/* Computes for a third of the limit in several calls: each call has a limit of its own. */
#include "hostile.h"

static void compute(void) {
    for (clock_t const start = clock(); clock() - start < CLOCKS_PER_SEC / 10;) {
    }
}

void on_initialize(void) { compute(); }
void on_name(void) { compute(); }
void on_finalize(void) { compute(); }
void on_play(unsigned turn) {
    if (turn < 3) {
        compute();
    }
}
