// expect: violation in play
// harm: the rival is stopped and loses on time
// A stopped rival runs out of time; it looks like its own fault.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("kill", kill(rival(), SIGSTOP));
}
