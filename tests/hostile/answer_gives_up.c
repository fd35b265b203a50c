// expect: illegal_move in play
/* Answers no move. */
#include "hostile.h"

void on_answer(struct move_t *answer) {
    memset(answer, 0xff, sizeof *answer);
}
