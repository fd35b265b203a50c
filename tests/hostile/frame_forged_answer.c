// expect: protocol_error in play
/* Sends the right answer itself; then the real one is one too many. */
#include "hostile.h"

void on_answer(struct move_t *answer) {
    struct reply_t reply = forged(5, FIRST_PLAY, 2);
    reply.move = *answer;
    tell(&reply, sizeof reply);
}
