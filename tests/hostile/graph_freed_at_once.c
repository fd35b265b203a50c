// expect: plays on
/* Frees the whole graph in initialize, having copied it. */
#include "hostile.h"

static gsl_spmatrix_uint copy;
static struct graph_t own = {0, &copy};

static void *copied(void const *bytes, size_t len) {
    void *const block = malloc(len);
    return block == NULL ? NULL : memcpy(block, bytes, len);
}

void on_initialize(void) {
    gsl_spmatrix_uint *const t = game.graph->t;
    copy = *t;
    copy.i = copied(t->i, t->nz * sizeof *t->i);
    copy.data = copied(t->data, t->nz * sizeof *t->data);
    copy.p = copied(t->p, (t->size1 + 1) * sizeof *t->p);
    own.num_vertices = game.vertices;
    free(t->i);
    free(t->data);
    free(t->p);
    free(t->work.work_void);
    free(t);
    free(game.graph);
    game.graph = &own;
}

void on_finalize(void) { game.graph = NULL; }
