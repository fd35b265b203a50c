// expect: illegal_move in play
/* Plays the rival's move. */
#include "hostile.h"

void on_answer(struct move_t *answer) {
    if (game.previous.queen_src != UINT_MAX) {
        *answer = game.previous;
    }
}
