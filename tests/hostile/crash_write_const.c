// expect: crash in play, signal SIGSEGV
/* Writes to a constant. */
#include "hostile.h"

static char const constant[16] = {1};

void on_play(unsigned turn) {
    (void)turn;
    ((char volatile *)(uintptr_t)constant)[0] = 2;
}
