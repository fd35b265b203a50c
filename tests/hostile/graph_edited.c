// expect: plays on
/* Deletes each edge to a square that an arrow hits, in place, as honest players do. */
#include "hostile.h"

void on_play(unsigned turn) {
    gsl_spmatrix_uint *const t = game.graph->t;
    (void)turn;
    for (int k = 0; game.previous.queen_src != UINT_MAX && k < t->p[t->size1]; k++) {
        if (t->i[k] == (int)game.previous.arrow_dst) {
            t->data[k] = NO_DIR;
        }
    }
}
