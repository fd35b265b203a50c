// expect: protocol_error in play
/* Puts its log in the place of every descriptor, so that answers go nowhere. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    for (int fd = 3; fd < 1024; fd++) {
        if (fcntl(fd, F_GETFD) != -1) {
            dup2(2, fd);
        }
    }
}
