/*
 * A player in plain C99: it needs the four headers and no library.
 *
 * It looks one move ahead and plays the move after which its queens have the most places to go to, less the places
 * that the opponent's queens have. A place to start from for a player of your own: change NAME and choose().
 *
 * The server runs each game in a process of its own, so the state is a static variable.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct edge {
    unsigned int from;
    unsigned int to;
    unsigned int dir;
};

/* All zero when there is no game. */
static struct {
    unsigned int me;
    unsigned int num_vertices;
    unsigned int num_queens;
    unsigned int *queens[NUM_PLAYERS];         /* where they stand now */
    struct graph_t *graph;                     /* what initialize was given, only kept to be freed */
    unsigned int *given_queens[NUM_PLAYERS];   /* the same */
    unsigned int (*next)[LAST_DIR + 1];        /* next[v][dir]: the neighbour of v in that direction, or NOWHERE */
    unsigned char *taken;                      /* is there a queen or an arrow on v? */
    long looked_at;                            /* vertices, since the phase began */
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

/* How many entries the matrix has, zeros and all. */
static size_t count_entries(gsl_spmatrix_uint const *t)
{
    switch (storage_type(t)) {
    case GSL_SPMATRIX_CSR:
        return (size_t)t->p[t->size1];
    case GSL_SPMATRIX_CSC:
        return (size_t)t->p[t->size2];
    default:
        return t->nz;
    }
}

/* Adds an edge to a list and answers where the list ends now; a zero in the matrix is no edge. */
static struct edge *add_edge(struct edge *end, int from, int to, unsigned int dir)
{
    if (dir == NO_DIR)
        return end;
    end->from = (unsigned int)from;
    end->to = (unsigned int)to;
    end->dir = dir;
    return end + 1;
}

/* Lists the edges and answers where the list ends. */
static struct edge *list_edges(gsl_spmatrix_uint const *t, struct edge *edges)
{
    struct edge *end = edges;
    switch (storage_type(t)) {
    case GSL_SPMATRIX_CSR:
        for (int row = 0; row < (int)t->size1; row++)
            for (int k = t->p[row]; k < t->p[row + 1]; k++)
                end = add_edge(end, row, t->i[k], t->data[k]);
        break;
    case GSL_SPMATRIX_CSC:
        for (int column = 0; column < (int)t->size2; column++)
            for (int k = t->p[column]; k < t->p[column + 1]; k++)
                end = add_edge(end, t->i[k], column, t->data[k]);
        break;
    case GSL_SPMATRIX_COO:
        for (size_t k = 0; k < t->nz; k++)
            end = add_edge(end, t->i[k], t->p[k], t->data[k]);
        break;
    }
    return end;
}

static int compare_edges(void const *left, void const *right)
{
    struct edge const *const a = left;
    struct edge const *const b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

/* Fills state.next; answers 0 when it is no graph that this player can read. */
static int read_graph(gsl_spmatrix_uint const *t)
{
    struct edge *const edges = malloc((count_entries(t) + 1) * sizeof *edges);
    if (edges == NULL)
        return 0;
    size_t const count = (size_t)(list_edges(t, edges) - edges);
    qsort(edges, count, sizeof *edges, compare_edges);

    for (unsigned int v = 0; v < state.num_vertices; v++)
        for (int dir = 0; dir <= LAST_DIR; dir++)
            state.next[v][dir] = NOWHERE;
    int readable = count > 0;
    for (size_t e = 0; e < count; e++) {
        struct edge const way_back = {edges[e].to, edges[e].from, NO_DIR};
        /* Some servers leave edges that lead one way only: those are mistakes, and no queen goes there. */
        if (bsearch(&way_back, edges, count, sizeof *edges, compare_edges) == NULL)
            continue;
        if (edges[e].from >= state.num_vertices || edges[e].to >= state.num_vertices || edges[e].dir > LAST_DIR)
            readable = 0;
        else
            state.next[edges[e].from][edges[e].dir] = edges[e].to;
    }
    free(edges);
    return readable;
}

/* Copies the queens: a server may go on using the arrays that it gave. */
static int place_queens(void)
{
    for (int player = 0; player < NUM_PLAYERS; player++) {
        size_t const size = state.num_queens * sizeof *state.queens[player];
        state.queens[player] = malloc(size + 1);
        if (state.queens[player] == NULL)
            return 0;
        memcpy(state.queens[player], state.given_queens[player], size);
        for (unsigned int q = 0; q < state.num_queens; q++) {
            if (state.queens[player][q] >= state.num_vertices)
                return 0;
            state.taken[state.queens[player][q]] = 1;
        }
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
    state.given_queens[0] = queens[0];
    state.given_queens[1] = queens[1];
    /* Servers count holes in num_vertices or not; ids always fit into the matrix. */
    state.num_vertices = (unsigned int)(t->size1 > t->size2 ? t->size1 : t->size2);
    state.next = malloc(state.num_vertices * sizeof *state.next);
    state.taken = calloc(state.num_vertices, 1);
    if (state.next == NULL || state.taken == NULL || !read_graph(t) || !place_queens()) {
        fprintf(stderr, "%s: cannot read the graph\n", NAME);
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

/* Optional: what it thinks of the position after its move, by the same measure as choose(). */
double get_opinion(char const **text)
{
    static char line[64];
    if (state.num_queens == 0)
        return 0;
    long const own = mobility(state.me), other = mobility(1 - state.me);
    snprintf(line, sizeof line, "%ld places to go to against %ld", own, other);
    *text = line;
    return (double)(own - other) / (double)(own + other + 1);
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
    for (int player = 0; player < NUM_PLAYERS; player++) {
        free(state.given_queens[player]);
        free(state.queens[player]);
        state.queens[player] = NULL;
    }
    free(state.next);
    free(state.taken);
    state.graph = NULL;
    state.num_queens = 0;
}
