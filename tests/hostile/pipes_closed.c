// expect: protocol_error in play
/* Closes every descriptor: there is nothing left to answer with. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    for (int fd = 0; fd < 1024; fd++) {
        close(fd);
    }
}
