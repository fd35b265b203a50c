// expect: protocol_error in play
/* Answers a request that is long answered. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    struct reply_t const reply = forged(2, 1, 1);
    tell(&reply, sizeof reply);
}
