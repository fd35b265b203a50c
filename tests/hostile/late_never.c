// expect: plays on
/* Sleeps a little in each of the first moves: that is no fault as long as the limit holds. */
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn < 3) {
        nap(40);
    }
}
