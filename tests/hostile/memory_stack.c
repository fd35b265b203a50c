// expect: out_of_memory in play
// options: --memory 32M
// once: it takes much memory
// harm: the machine runs out of memory
/* Takes memory as stack, which no limit of the heap sees. */
#include "hostile.h"

static unsigned deeper(unsigned depth) {
    char volatile frame[1 << 16];
    for (size_t at = 0; at < sizeof frame; at += 4096) {
        frame[at] = 1;
    }
    if (depth == 0) {
        nap(100);
        return 0;
    }
    return deeper(depth - 1) + (unsigned)frame[0];
}

/* 56 MiB, below the limit of the stack. */
void on_play(unsigned turn) { deeper(896 + turn); }
