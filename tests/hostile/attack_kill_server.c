// expect: violation in play
// harm: the server is killed, the game has no result
// A dead server records no loss.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("kill", kill(getppid(), SIGTERM));
}
