// expect: crash in load, signal SIGSEGV
/* Overflows the stack in a constructor, below the dynamic loader, which holds a lock. */
#include "hostile.h"

static unsigned deeper(unsigned volatile depth) {
    char volatile frame[4096] = {1};
    return depth == UINT_MAX ? 0 : deeper(depth + 1) + (unsigned)frame[depth % sizeof frame];
}

void on_load(void) { deeper(0); }
