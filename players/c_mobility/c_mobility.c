/*
 * A player in plain C99: it needs the four headers and no library.
 *
 * It looks one move ahead and plays the move after which its queens have the most places to go to, less the places
 * that the opponent's queens have. A place to start from for a player of your own: change NAME and choose().
 *
 * The server runs each game in a process of its own, so the state is a static variable.
 */
#include <limits.h>
#include <stdlib.h>

#include "player.h"

#define NAME "c_mobility"

/* How many vertices one phase of choose() looks at before it stops, so that a move stays quick on large boards. */
#define BUDGET 400000L

#define NOWHERE UINT_MAX

static struct move_t const no_move = {UINT_MAX, UINT_MAX, UINT_MAX};

/* A queen's step, and how good the position is after it. */
struct step {
    long value;
    unsigned int queen; /* index into state.queens[state.me] */
    unsigned int to;
};

/* All zero when there is no game. */
static struct {
    unsigned int me;
    unsigned int num_vertices;
    unsigned int num_queens;
    unsigned int *queens[NUM_PLAYERS];         /* what initialize was given, kept up to date */
    struct graph_t *graph;                     /* what initialize was given, only kept to be freed */
    unsigned int (*next)[LAST_DIR + 1];        /* next[v][dir]: the neighbour of v in that direction, or NOWHERE */
    unsigned char *taken;                      /* is there a queen or an arrow on v? */
    long looked_at;                            /* vertices, since the phase began */
} state;

/* The board. */

/* Fills state.next from the rows of the matrix; answers 0 when it is no graph that this player can read. */
static int read_edges(gsl_spmatrix_uint const *t)
{
    for (unsigned int v = 0; v < state.num_vertices; v++)
        for (int dir = 0; dir <= LAST_DIR; dir++)
            state.next[v][dir] = NOWHERE;
    for (unsigned int v = 0; v < t->size1; v++)
        for (int k = t->p[v]; k < t->p[v + 1]; k++) {
            if (t->i[k] < 0 || (unsigned int)t->i[k] >= state.num_vertices || t->data[k] > LAST_DIR)
                return 0;
            if (t->data[k] != NO_DIR)
                state.next[v][t->data[k]] = (unsigned int)t->i[k];
        }
    return 1;
}

static int place_queens(void)
{
    for (int player = 0; player < NUM_PLAYERS; player++)
        for (unsigned int q = 0; q < state.num_queens; q++) {
            if (state.queens[player][q] >= state.num_vertices)
                return 0;
            state.taken[state.queens[player][q]] = 1;
        }
    return 1;
}

/* The next vertex on the way from v, or NOWHERE when the way ends or is blocked. */
static unsigned int slide(unsigned int v, int dir)
{
    unsigned int const to = state.next[v][dir];
    state.looked_at++;
    return to == NOWHERE || state.taken[to] ? NOWHERE : to;
}

/* How many steps the player's queens have. */
static long mobility(unsigned int player)
{
    long count = 0;
    for (unsigned int q = 0; q < state.num_queens; q++)
        for (int dir = FIRST_DIR; dir <= LAST_DIR; dir++)
            for (unsigned int v = slide(state.queens[player][q], dir); v != NOWHERE; v = slide(v, dir))
                count++;
    return count;
}

static long evaluate(void)
{
    return mobility(state.me) - mobility(1 - state.me);
}

static void move_queen(unsigned int player, unsigned int queen, unsigned int to)
{
    state.taken[state.queens[player][queen]] = 0;
    state.queens[player][queen] = to;
    state.taken[to] = 1;
}

/* Plays a move that the server has checked, or that choose() found. */
static void apply(unsigned int player, struct move_t move)
{
    for (unsigned int q = 0; q < state.num_queens; q++)
        if (state.queens[player][q] == move.queen_src)
            move_queen(player, q, move.queen_dst);
    state.taken[move.arrow_dst] = 1;
}

/* The choice of a move. */

/* Best first; of equals the one that was found first, so that a game can be repeated. */
static int compare_steps(void const *left, void const *right)
{
    struct step const *const a = left;
    struct step const *const b = right;
    if (a->value != b->value)
        return a->value < b->value ? 1 : -1;
    if (a->queen != b->queen)
        return a->queen < b->queen ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

/* Lists every stride-th step of the player's queens with its value; answers how many. */
static size_t list_steps(struct step *steps, size_t stride)
{
    size_t seen = 0;
    size_t listed = 0;
    for (unsigned int q = 0; q < state.num_queens; q++) {
        unsigned int const from = state.queens[state.me][q];
        for (int dir = FIRST_DIR; dir <= LAST_DIR; dir++)
            for (unsigned int to = slide(from, dir); to != NOWHERE; to = slide(to, dir)) {
                if (seen++ % stride != 0)
                    continue;
                move_queen(state.me, q, to);
                steps[listed].value = evaluate();
                steps[listed].queen = q;
                steps[listed].to = to;
                listed++;
                move_queen(state.me, q, from);
            }
    }
    return listed;
}

/* Of two moves alike: some servers forbid an arrow through the vertex that the queen left. Those that tell limits do not. */
static int avoids_vacated(void)
{
    return getenv("AMAZONS_MOVE_WALL_MS") == NULL && getenv("AMAZONS_MOVE_CPU_MS") == NULL;
}

/* Tries the arrows after a step while the budget lasts; replaces *best and *best_value when one is better. */
static void try_arrows(struct step step, struct move_t *best, long *best_value)
{
    unsigned int const from = state.queens[state.me][step.queen];
    int const prefers_clear = avoids_vacated();
    move_queen(state.me, step.queen, step.to);
    for (int dir = FIRST_DIR; dir <= LAST_DIR; dir++) {
        int is_clear = prefers_clear;
        for (unsigned int arrow = slide(step.to, dir); arrow != NOWHERE && state.looked_at < BUDGET;
             arrow = slide(arrow, dir)) {
            is_clear &= arrow != from;
            state.taken[arrow] = 1;
            long const value = 2 * evaluate() + is_clear;
            state.taken[arrow] = 0;
            if (value > *best_value) {
                *best_value = value;
                best->queen_src = from;
                best->queen_dst = step.to;
                best->arrow_dst = arrow;
            }
        }
    }
    move_queen(state.me, step.queen, from);
}

/* Ranks the steps, then tries the arrows of the best ones until the budget is spent. */
static struct move_t choose(void)
{
    struct move_t best = no_move;
    long best_value = LONG_MIN;
    size_t const num_steps = (size_t)mobility(state.me);
    struct step *const steps = malloc((num_steps + 1) * sizeof *steps);
    if (steps == NULL)
        return no_move;

    state.looked_at = 0;
    evaluate();
    size_t const stride = 1 + num_steps * (size_t)state.looked_at / BUDGET;
    size_t const listed = list_steps(steps, stride);
    qsort(steps, listed, sizeof *steps, compare_steps);

    state.looked_at = 0;
    for (size_t s = 0; s < listed && state.looked_at < BUDGET; s++)
        try_arrows(steps[s], &best, &best_value);
    free(steps);
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
    state.graph = graph;
    state.num_queens = num_queens;
    state.queens[0] = queens[0];
    state.queens[1] = queens[1];
    /* Servers count holes in num_vertices or not; ids always fit into the matrix. */
    state.num_vertices = (unsigned int)(t->size1 > t->size2 ? t->size1 : t->size2);
    state.next = malloc(state.num_vertices * sizeof *state.next);
    state.taken = calloc(state.num_vertices, 1);
    if (state.next == NULL || state.taken == NULL || t->sptype != GSL_SPMATRIX_CSR || !read_edges(t) || !place_queens())
        state.num_queens = 0; /* without queens choose() gives up */
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
    if (state.graph == NULL)
        return;
    free(state.graph->t->i);
    free(state.graph->t->data);
    free(state.graph->t->p);
    free(state.graph->t->work.work_void);
    free(state.graph->t);
    free(state.graph);
    free(state.queens[0]);
    free(state.queens[1]);
    free(state.next);
    free(state.taken);
    state.graph = NULL;
    state.num_queens = 0;
}
