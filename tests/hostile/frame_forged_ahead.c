// expect: illegal_move in play
// rival: slow
/* Answers the next request in the rival's time, before it was made, and is gone. */
#include "hostile.h"

void on_answer(struct move_t *answer) {
    for (unsigned ahead = 0; ahead < 2; ahead++) {
        struct reply_t reply = forged(5, FIRST_PLAY + ahead, 2);
        reply.move = *answer;
        tell(&reply, sizeof reply);
        nap(50);
    }
    _exit(0);
}
