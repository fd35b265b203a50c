// expect: violation in load
// harm: the server is killed, the game has no result
// The same from a constructor, before the first call.
#include "hostile.h"

void on_load(void) {
    refused("kill", kill(getppid(), SIGTERM));
}
