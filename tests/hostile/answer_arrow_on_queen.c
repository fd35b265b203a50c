// expect: illegal_move in play
/* Shoots at the queen that has just landed. */
#include "hostile.h"

void on_answer(struct move_t *answer) {
    answer->arrow_dst = answer->queen_dst;
}
