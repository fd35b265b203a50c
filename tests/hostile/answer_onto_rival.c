// expect: illegal_move in play
/* Lands on a queen of the rival. */
#include "hostile.h"

void on_answer(struct move_t *answer) {
    answer->queen_dst = game.queen[1 - game.me][0];
}
