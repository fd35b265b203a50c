// expect: crash in play, signal SIGSEGV
/* Writes to NULL, the most common mistake of all. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    int *volatile nothing = NULL;
    *nothing = 1;
}
