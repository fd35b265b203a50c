// expect: plays on
// Asks for the habits of old kernels: executable data and addresses that can be guessed.
#include "hostile.h"

#include <sys/personality.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int const before = personality(0xffffffff);
    refused("personality", personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC));
    if (before != 0 || personality(0xffffffff) != before) {
        harm("the habits were %x and are %x", (unsigned)before, (unsigned)personality(0xffffffff));
    }
}
