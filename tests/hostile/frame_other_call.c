// expect: protocol_error in play
/* Answers the right request with the answer to another call. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    struct reply_t const reply = forged(6, FIRST_PLAY, 1);
    tell(&reply, sizeof reply);
}
