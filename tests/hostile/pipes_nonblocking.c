// expect: protocol error in play
// rival: slow
// The pipes are its own ends: when they no longer block, its own process fails and nothing else.
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    for (int fd = 0; fd < 5; fd++) {
        if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK | O_APPEND) != 0) {
            harm("F_SETFL was refused: %d", errno);
        }
    }
}
