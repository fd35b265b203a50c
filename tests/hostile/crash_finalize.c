// expect: fault in finalize: crash, signal SIGSEGV
/* Crashes when the game is over: nothing may change the result any more. */
#include "hostile.h"

void on_finalize(void) {
    int volatile *nothing = NULL;
    *nothing = 1;
}
