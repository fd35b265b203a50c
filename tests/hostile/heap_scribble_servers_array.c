// expect: plays on
/* Overwrites the array that stays the server's: only its own process may suffer. */
#include "hostile.h"

void on_finalize(void) {
    memset(game.outer, 0xff, NUM_PLAYERS * sizeof *game.outer);
}
