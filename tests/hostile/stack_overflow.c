// expect: crash in play, signal SIGSEGV
/* Calls itself without end: the stack is bounded, the crash must be told. */
#include "hostile.h"

static unsigned deeper(unsigned volatile depth) {
    char volatile frame[4096] = {1};
    return depth == UINT_MAX ? 0 : deeper(depth + 1) + (unsigned)frame[depth % sizeof frame];
}

void on_play(unsigned turn) { deeper(turn); }
