// expect: illegal_move in play
/* Sends two answers in one piece: the second one is taken for the next turn, where it is illegal. */
#include "hostile.h"

void on_answer(struct move_t *answer) {
    struct reply_t replies[2] = {forged(5, FIRST_PLAY, 2), forged(5, FIRST_PLAY + 1, 2)};
    replies[0].move = replies[1].move = *answer;
    tell(replies, sizeof replies);
}
