// expect: plays on
/* Writes nothing to the pipe, which is no frame and no end. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    tell("", 0);
}
