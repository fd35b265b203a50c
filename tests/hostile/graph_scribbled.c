// expect: illegal_move in play
/* Overwrites its graph: the server judges by its own, and the rival has another. */
#include "hostile.h"

void on_initialize(void) {
    gsl_spmatrix_uint *const t = game.graph->t;
    int const edges = t->p[t->size1];
    /* Every vertex leads to the last one. */
    for (int k = 0; k < edges; k++) {
        t->i[k] = (int)game.vertices - 1;
    }
}

void on_answer(struct move_t *answer) { answer->queen_dst = answer->arrow_dst = game.vertices - 1; }
