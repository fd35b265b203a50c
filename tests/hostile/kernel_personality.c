// expect: violation in play
// Asks for the habits of old kernels: executable data and addresses that can be guessed.
#include "hostile.h"

#include <sys/personality.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("personality", personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC));
}
