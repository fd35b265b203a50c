// expect: illegal_move in play
/* Answers vertices that do not exist: the server must not look them up. */
#include "hostile.h"

void on_answer(struct move_t *answer) {
    *answer = (struct move_t){0x7fffffff, 0x80000000, game.vertices};
}
