// expect: fault in finalize: violation
// harm: the server is killed, the game has no result
// The same after the game, before its result is written.
#include "hostile.h"

void on_finalize(void) {
    refused("kill", kill(getppid(), SIGTERM));
}
