// expect: plays on
/* Prints lines without end through C's stream, which keeps them when they cannot be written. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    for (int i = 0; i < 100000; i++) {
        printf("%d: a line that nobody wants to read\n", i);
    }
}
