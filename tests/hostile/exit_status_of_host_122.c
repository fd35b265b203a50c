// expect: exit in load, status 122
/* Ends with the status that says "not set up": the server must not take the blame, or the game is void. */
#include "hostile.h"

void on_load(void) {
    _exit(122);
}
