// expect: plays on
/* Leaves functions for the end of the process that hang, crash and write. */
#include "hostile.h"

static void last(void) {
    harm("a function of the player ran after finalize");
    abort();
}

void on_load(void) {
    atexit(last);
    at_quick_exit(last);
}
