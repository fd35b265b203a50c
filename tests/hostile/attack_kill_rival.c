// expect: violation in play
// harm: the rival is killed and loses the game
// A dead rival has lost.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("kill", kill(rival(), SIGKILL));
}
