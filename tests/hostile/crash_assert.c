// expect: crash in play, signal SIGABRT
/* Fails an assertion, which prints and aborts. */
#include "hostile.h"
#include <assert.h>

void on_play(unsigned turn) {
    assert(turn > 1000000 && "the player's own mistake");
}
