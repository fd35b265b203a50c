// expect: plays on
// harm: it may catch the signal that ends forbidden calls
/* Wants to handle the signal by which the sandbox ends it. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    refused("handling SIGSYS", signal(SIGSYS, SIG_IGN) == SIG_ERR ? -1 : 0);
}
