// expect: timeout in play
// options: --move-time 150ms
/* Sends the right answer itself and stays in play, to think while the rival does. */
#include "hostile.h"

void on_answer(struct move_t *answer) {
    struct reply_t reply = forged(5, FIRST_PLAY, 2);
    reply.move = *answer;
    tell(&reply, sizeof reply);
    for (unsigned volatile i = 0;; i++) {
    }
}
