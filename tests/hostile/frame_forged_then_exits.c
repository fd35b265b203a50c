// expect: exit in play, status 0
/* Sends the right answer itself and ends: the answer counts, the player is gone. */
#include "hostile.h"

void on_answer(struct move_t *answer) {
    struct reply_t reply = forged(5, FIRST_PLAY, 2);
    reply.move = *answer;
    tell(&reply, sizeof reply);
    _exit(0);
}
