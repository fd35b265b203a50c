// expect: illegal_move in play
/* Moves a queen from where none stands. */
#include "hostile.h"

void on_answer(struct move_t *answer) {
    answer->queen_src = answer->queen_dst;
}
