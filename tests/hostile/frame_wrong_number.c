// expect: protocol_error in play
/* Answers a request that was not made yet. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    struct reply_t const reply = forged(5, FIRST_PLAY + 1000, 2);
    tell(&reply, sizeof reply);
}
