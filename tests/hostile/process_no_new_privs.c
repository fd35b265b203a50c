// expect: plays on
// What a sandbox needs already; asking for it again must neither help nor hurt.
#include "hostile.h"

#include <sys/prctl.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L);
    refused("taking it back", prctl(PR_SET_NO_NEW_PRIVS, 0L, 0L, 0L, 0L));
}
