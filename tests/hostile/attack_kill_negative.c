// expect: violation in play
// harm: the server is killed, the game has no result
// A negative number is a group: the server's, if that is one.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("kill", kill(-getppid(), SIGTERM));
}
