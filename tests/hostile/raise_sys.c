// expect: violation in play
/* Sends itself SIGSYS, which is how the sandbox ends a player. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    raise(SIGSYS);
}
