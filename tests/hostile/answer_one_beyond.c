// expect: illegal_move in play
/* Answers with an arrow one beyond the board. */
#include "hostile.h"

void on_answer(struct move_t *answer) {
    answer->arrow_dst = game.vertices;
}
