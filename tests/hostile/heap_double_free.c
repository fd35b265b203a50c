// expect: crash in play, signal SIGABRT
/* Frees a block twice. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    void *volatile block = malloc(64);
    void *volatile again = block;
    free(block);
    free(again);
}
