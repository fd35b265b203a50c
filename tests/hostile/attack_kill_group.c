// expect: violation in play
// Signals a whole group: where the player is not alone in it, the server is in it too.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("kill", kill(0, SIGCONT));
}
