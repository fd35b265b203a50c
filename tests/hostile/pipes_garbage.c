// expect: protocol_error in play
/* Writes garbage to every descriptor: the server must not take it for an answer. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    char garbage[600];
    memset(garbage, 0x5a, sizeof garbage);
    for (int fd = 3; fd < 1024; fd++) {
        ssize_t written = write(fd, garbage, sizeof garbage);
        (void)written;
    }
}
