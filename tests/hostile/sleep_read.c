// expect: timeout in play
// options: --move-time 150ms
/* Waits for the request that comes after its own answer: neither side would move. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    char byte;
    ssize_t got = read(pipe_to_server(O_RDONLY), &byte, 1);
    (void)got;
}
