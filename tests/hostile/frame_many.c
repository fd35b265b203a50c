// expect: protocol_error in play
/* Fills the pipe with frames: the server must not collect them. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    struct reply_t const reply = forged(5, 0, 2);
    for (int i = 0; i < 100000; i++) {
        tell(&reply, sizeof reply);
    }
}
