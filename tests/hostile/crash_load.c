// expect: crash in load, signal SIGSEGV
/* Crashes in a constructor, before the server has any function of it. */
#include "hostile.h"

static uintptr_t volatile pointer;

void on_load(void) {
    *(int volatile *)(uintptr_t)pointer = 1;
}
