// expect: protocol_error in play
/* Writes half of an answer, so that the real one starts in the middle. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    struct reply_t const reply = forged(5, FIRST_PLAY, 2);
    tell(&reply, sizeof reply / 2);
}
