// expect: crash in initialize, signal SIGSEGV
/* Crashes in initialize. */
#include "hostile.h"

void on_initialize(void) {
    int volatile *nothing = NULL;
    *nothing = 1;
}
