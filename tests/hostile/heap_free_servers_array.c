// expect: fault in finalize: crash, signal SIGABRT
/* Frees the array that stays the server's. */
#include "hostile.h"

void on_finalize(void) {
    void *volatile outer = game.outer;
    free(outer);
    free(outer);
}
