// expect: violation in play
// harm: the rival is killed and loses the game
// Signals can be queued as well as sent.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("sigqueue", sigqueue(rival(), SIGKILL, (union sigval){0}));
}
