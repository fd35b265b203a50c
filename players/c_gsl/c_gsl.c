/*
 * A player that links GSL: a place to start from for one that wants its sparse matrices.
 *
 * It moves the queen that finds the most free neighbours around where it lands, and shoots where the most free
 * neighbours of enemy queens are blocked. Change NAME and choose() to make it yours.
 *
 * The server runs each game in a process of its own, so the state is a static variable.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_spmatrix.h> /* after stdlib.h: GSL 2.7 uses size_t without asking for it */

#include "player.h"

#define NAME "c_gsl"

#define NOWHERE UINT_MAX

static struct move_t const no_move = {UINT_MAX, UINT_MAX, UINT_MAX};

static struct {
    unsigned int me;
    unsigned int num_queens;
    unsigned int *queens[NUM_PLAYERS];       /* where they stand now */
    struct graph_t *graph;                   /* what initialize was given, only kept to be freed */
    unsigned int *given_queens[NUM_PLAYERS]; /* the same */
    gsl_spmatrix_uint *t;                    /* the matrix in CSR form */
    unsigned char *taken;                    /* is there a queen or an arrow on v? */
} state;

/* The board. */

/*
 * How the matrix is stored. Servers use any of the three ways, and some say COO where the arrays are CSR's. Those end with
 * the offset nz, and where a graph has more edges than vertices, that cannot be a column.
 */
static int storage_type(gsl_spmatrix_uint const *t)
{
    if (t->sptype == GSL_SPMATRIX_COO && t->nz > t->size1 && t->nz >= t->size2 && t->p[0] == 0 &&
        t->p[t->size1] == (int)t->nz)
        return GSL_SPMATRIX_CSR;
    return t->sptype;
}

/* Copies a matrix into CSR form. */
static gsl_spmatrix_uint *copy_as_csr(gsl_spmatrix_uint const *given)
{
    gsl_spmatrix_uint t = *given;
    t.sptype = storage_type(given);
    if (t.sptype == GSL_SPMATRIX_COO)
        return gsl_spmatrix_uint_compress(&t, GSL_SPMATRIX_CSR);
    if (t.sptype == GSL_SPMATRIX_CSC) {
        /* The columns of the transposed matrix are the rows of this one. */
        gsl_spmatrix_uint *const columns = gsl_spmatrix_uint_alloc_nzmax(t.size2, t.size1, t.nzmax, GSL_SPMATRIX_CSC);
        gsl_spmatrix_uint_transpose_memcpy(columns, &t);
        gsl_spmatrix_uint_transpose(columns);
        return columns;
    }
    gsl_spmatrix_uint *const rows = gsl_spmatrix_uint_alloc_nzmax(t.size1, t.size2, t.nzmax, GSL_SPMATRIX_CSR);
    gsl_spmatrix_uint_memcpy(rows, &t);
    return rows;
}

/* The k-th edge of the matrix leads to this vertex. */
static unsigned int edge_end(int k)
{
    return (unsigned int)state.t->i[k];
}

/* Is there an edge? A zero in the matrix is none, and neither is what lies outside of it. */
static int is_edge(unsigned int from, unsigned int to)
{
    return from < state.t->size1 && to < state.t->size2 && gsl_spmatrix_uint_get(state.t, from, to) != NO_DIR;
}

/* Some servers leave edges that lead one way only: those are mistakes, and no queen goes there. */
static void drop_one_way_edges(void)
{
    for (unsigned int v = 0; v < state.t->size1; v++)
        for (int k = state.t->p[v]; k < state.t->p[v + 1]; k++)
            if (!is_edge(edge_end(k), v))
                state.t->data[k] = NO_DIR;
}

/* Copies the queens: a server may go on using the arrays that it gave. Answers 0 when one stands nowhere. */
static int place_queens(void)
{
    for (int player = 0; player < NUM_PLAYERS; player++) {
        size_t const size = state.num_queens * sizeof *state.queens[player];
        state.queens[player] = malloc(size + 1);
        if (state.queens[player] == NULL)
            return 0;
        memcpy(state.queens[player], state.given_queens[player], size);
        for (unsigned int q = 0; q < state.num_queens; q++) {
            if (state.queens[player][q] >= state.t->size1)
                return 0;
            state.taken[state.queens[player][q]] = 1;
        }
    }
    return 1;
}

/* The next vertex on the way from v, or NOWHERE when the way ends or is blocked. */
static unsigned int slide(unsigned int v, unsigned int dir)
{
    for (int k = state.t->p[v]; k < state.t->p[v + 1]; k++) {
        unsigned int const to = edge_end(k);
        if (gsl_spmatrix_uint_get(state.t, v, to) == dir)
            return state.taken[to] ? NOWHERE : to;
    }
    return NOWHERE;
}

static int free_neighbours(unsigned int v)
{
    int count = 0;
    for (int k = state.t->p[v]; k < state.t->p[v + 1]; k++)
        count += state.t->data[k] != NO_DIR && !state.taken[edge_end(k)];
    return count;
}

/* How many enemy queens stand next to v. */
static int enemies_near(unsigned int v)
{
    int count = 0;
    for (unsigned int q = 0; q < state.num_queens; q++)
        count += is_edge(v, state.queens[1 - state.me][q]);
    return count;
}

static void apply(unsigned int player, struct move_t move)
{
    for (unsigned int q = 0; q < state.num_queens; q++)
        if (state.queens[player][q] == move.queen_src)
            state.queens[player][q] = move.queen_dst;
    state.taken[move.queen_src] = 0;
    state.taken[move.queen_dst] = 1;
    state.taken[move.arrow_dst] = 1;
}

/* The choice of a move. */

/* Of two moves alike: some servers forbid an arrow through the vertex that the queen left. Those that tell limits do not. */
static int avoids_vacated(void)
{
    return getenv("AMAZONS_MOVE_WALL_MS") == NULL && getenv("AMAZONS_MOVE_CPU_MS") == NULL;
}

static struct move_t choose(void)
{
    struct move_t best = no_move;
    int most = -1;
    for (unsigned int q = 0; q < state.num_queens; q++) {
        unsigned int const from = state.queens[state.me][q];
        for (unsigned int dir = FIRST_DIR; dir <= LAST_DIR; dir++)
            for (unsigned int to = slide(from, dir); to != NOWHERE; to = slide(to, dir))
                if (free_neighbours(to) > most) {
                    most = free_neighbours(to);
                    best.queen_src = from;
                    best.queen_dst = to;
                }
    }
    if (most < 0)
        return no_move;

    most = -1;
    int const prefers_clear = avoids_vacated();
    state.taken[best.queen_src] = 0; /* the queen has left it: the arrow may pass and land there */
    for (unsigned int dir = FIRST_DIR; dir <= LAST_DIR; dir++) {
        int is_clear = prefers_clear;
        for (unsigned int v = slide(best.queen_dst, dir); v != NOWHERE; v = slide(v, dir)) {
            is_clear &= v != best.queen_src;
            if (2 * enemies_near(v) + is_clear > most) {
                most = 2 * enemies_near(v) + is_clear;
                best.arrow_dst = v;
            }
        }
    }
    state.taken[best.queen_src] = 1;
    return best;
}

/* The four functions of player.h. */

char const *get_player_name(void)
{
    return NAME;
}

void initialize(unsigned int player_id, struct graph_t *graph, unsigned int num_queens,
                unsigned int *queens[NUM_PLAYERS])
{
    state.me = player_id;
    state.num_queens = num_queens;
    state.graph = graph;
    state.given_queens[0] = queens[0];
    state.given_queens[1] = queens[1];

    state.t = copy_as_csr(graph->t);
    drop_one_way_edges();
    /* The matrix need not be square. */
    state.taken = calloc(state.t->size1 > state.t->size2 ? state.t->size1 : state.t->size2, 1);
    if (state.taken == NULL || !place_queens()) {
        fprintf(stderr, "%s: cannot place the queens\n", NAME);
        state.num_queens = 0; /* without queens choose() gives up */
    }
}

struct move_t play(struct move_t previous_move)
{
    if (state.num_queens == 0)
        return no_move;
    if (previous_move.queen_src != UINT_MAX)
        apply(1 - state.me, previous_move);
    struct move_t const move = choose();
    if (move.queen_src != UINT_MAX)
        apply(state.me, move);
    return move;
}

void finalize(void)
{
    gsl_spmatrix_uint_free(state.graph->t);
    free(state.graph);
    gsl_spmatrix_uint_free(state.t);
    for (int player = 0; player < NUM_PLAYERS; player++) {
        free(state.given_queens[player]);
        free(state.queens[player]);
    }
    free(state.taken);
}
