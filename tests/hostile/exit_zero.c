// expect: exit in play, status 0
/* Ends its process with success: a game is no success without an answer. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    exit(0);
}
