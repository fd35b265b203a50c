// expect: illegal_move in play
/* Moves a queen of the rival. */
#include "hostile.h"

void on_answer(struct move_t *answer) {
    answer->queen_src = game.queen[1 - game.me][0];
}
