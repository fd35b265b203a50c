/*
 * A player that links GSL: a place to start from for one that wants its sparse matrices.
 *
 * It moves the queen that finds the most free neighbours around where it lands, and shoots where the most free
 * neighbours of enemy queens are blocked. Change NAME and choose() to make it yours.
 *
 * The server runs each game in a process of its own, so the state is a static variable.
 */
#include <limits.h>
#include <stdlib.h>

#include <gsl/gsl_spmatrix.h> /* after stdlib.h: GSL 2.7 uses size_t without asking for it */

#include "player.h"

#define NAME "c_gsl"

#define NOWHERE UINT_MAX

static struct move_t const no_move = {UINT_MAX, UINT_MAX, UINT_MAX};

static struct {
    unsigned int me;
    unsigned int num_queens;
    unsigned int *queens[NUM_PLAYERS]; /* what initialize was given, kept up to date */
    gsl_spmatrix_uint *t;              /* a copy of the matrix */
    unsigned char *taken;              /* is there a queen or an arrow on v? */
} state;

/* The k-th edge of the matrix leads to this vertex. */
static unsigned int edge_end(int k)
{
    return (unsigned int)state.t->i[k];
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
        count += !state.taken[edge_end(k)];
    return count;
}

/* How many enemy queens stand next to v. */
static int enemies_near(unsigned int v)
{
    int count = 0;
    for (unsigned int q = 0; q < state.num_queens; q++)
        count += gsl_spmatrix_uint_get(state.t, v, state.queens[1 - state.me][q]) != NO_DIR;
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
    gsl_spmatrix_uint const *const t = graph->t;
    state.me = player_id;
    state.num_queens = num_queens;
    state.queens[0] = queens[0];
    state.queens[1] = queens[1];

    state.t = gsl_spmatrix_uint_alloc_nzmax(t->size1, t->size2, t->nzmax, GSL_SPMATRIX_CSR);
    gsl_spmatrix_uint_memcpy(state.t, t);
    gsl_spmatrix_uint_free(graph->t);
    free(graph);

    state.taken = calloc(state.t->size1, 1);
    if (state.taken == NULL) {
        state.num_queens = 0; /* without queens choose() gives up */
        return;
    }
    for (int player = 0; player < NUM_PLAYERS; player++)
        for (unsigned int q = 0; q < num_queens; q++)
            state.taken[queens[player][q]] = 1;
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
    gsl_spmatrix_uint_free(state.t);
    free(state.queens[0]);
    free(state.queens[1]);
    free(state.taken);
}
