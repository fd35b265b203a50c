// expect: crash in load, signal SIGSEGV
/* Crashes in a constructor that runs before all others. */
#include "hostile.h"

static __attribute__((constructor(101))) void first(void) {
    int *volatile nothing = NULL;
    *nothing = 1;
}
