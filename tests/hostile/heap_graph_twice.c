// expect: fault in finalize: crash, signal SIGABRT
/* Frees the graph twice. */
#include "hostile.h"

void on_finalize(void) {
    gsl_spmatrix_uint *volatile matrix = game.graph->t;
    void *volatile entries = matrix->i;
    free(entries);
    free(entries);
}
