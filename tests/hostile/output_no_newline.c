// expect: crash in play, signal SIGABRT
/* Prints one line of a megabyte and crashes: the report shows the last lines, and must stay readable. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    for (int i = 0; i < 20000; i++) {
        fprintf(stderr, "%050d", i);
    }
    abort();
}
