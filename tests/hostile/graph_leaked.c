// expect: plays on
/* Frees nothing. */
#include "hostile.h"

void on_finalize(void) {
    game.graph = NULL;
}
