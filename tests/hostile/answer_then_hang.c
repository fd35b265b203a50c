// expect: illegal_move in play
// once: finalize takes its whole limit
/* Answers an illegal move, and hangs when it is told that the game is over. */
#include "hostile.h"

void on_answer(struct move_t *answer) {
    memset(answer, 0, sizeof *answer);
}

void on_finalize(void) {
    for (;;) {
        pause();
    }
}
