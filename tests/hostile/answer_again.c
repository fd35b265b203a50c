// expect: illegal_move in play
/* Plays its first move again and again. */
#include "hostile.h"

static struct move_t first;

void on_answer(struct move_t *answer) {
    if (game.turn == 1) {
        first = *answer;
    }
    *answer = first;
}
