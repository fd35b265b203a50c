// expect: violation in play
// harm: the player reads how long the server and its rival have computed
// Reads the processor time of the server.
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    struct timespec used;
    if (clock_gettime((clockid_t)((~(unsigned)getppid() << 3) | 2), &used) == 0) {
        harm("the server's processor time");
    }
}
