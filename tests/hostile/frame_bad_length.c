// expect: protocol_error in play
/* Sends an answer with a text that is longer than the frame. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    struct reply_t reply = forged(5, FIRST_PLAY, 2);
    reply.text_len = UINT_MAX;
    tell(&reply, sizeof reply);
}
