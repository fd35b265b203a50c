/*
 * A player that passes everything: it plays the farthest step of the first direction that it finds, and shoots next to
 * where it lands. Tests define what it does wrong instead.
 */
#define AMAZONS_NO_GSL
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "player.h"

#ifndef NAME
#define NAME "checked"
#endif
#ifndef ON_INITIALIZE
#define ON_INITIALIZE
#endif
#ifndef ON_PLAY
#define ON_PLAY
#endif
#ifndef ON_FINALIZE
#define ON_FINALIZE
#endif
#ifndef NEIGHBOUR
#define NEIGHBOUR(v, dir) next[v][dir]
#endif

enum { VERTICES_MAX = 6400, NOWHERE = -1 };

static struct graph_t *graph;
static unsigned *queens[2], num_queens, me, turn;
static int next[VERTICES_MAX][LAST_DIR + 1], n, side;
static char taken[VERTICES_MAX];

/* Computes for so long, by the clock of this process. */
static inline void burn(long milliseconds)
{
    struct timespec from, now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    while ((now.tv_sec - from.tv_sec) * 1000 + (now.tv_nsec - from.tv_nsec) / 1000000 < milliseconds);
}

static inline int is_hole(int v)
{
    return graph->t->p[v] == graph->t->p[v + 1];
}

/* Is there an edge? Some servers leave edges that have none back. */
static inline int leads(int from, int to)
{
    for (int k = graph->t->p[from]; k < graph->t->p[from + 1]; k++)
        if (graph->t->i[k] == to && graph->t->data[k] != NO_DIR)
            return 1;
    return 0;
}

static int step(int v, int dir)
{
    int const to = next[v][dir] == NOWHERE ? NOWHERE : NEIGHBOUR(v, dir);
    return to < 0 || to >= n || taken[to] ? NOWHERE : to;
}

static void apply(unsigned player, struct move_t move)
{
    for (unsigned q = 0; q < num_queens; q++)
        if (queens[player][q] == move.queen_src)
            queens[player][q] = move.queen_dst;
    taken[move.queen_src] = 0;
    taken[move.queen_dst] = 1;
    taken[move.arrow_dst] = 1;
}

static struct move_t choose(void)
{
    struct move_t move = {UINT_MAX, UINT_MAX, UINT_MAX};
    for (unsigned q = 0; q < num_queens; q++)
        for (int dir = FIRST_DIR; dir <= LAST_DIR; dir++) {
            int const from = (int)queens[me][q];
            int to = from, further, arrow;
            while ((further = step(to, dir)) != NOWHERE)
                to = further;
            if (to == from)
                continue;
            taken[from] = 0;
            for (int aim = FIRST_DIR; aim <= LAST_DIR; aim++)
                if ((arrow = step(to, aim)) != NOWHERE) {
                    taken[from] = 1;
                    move.queen_src = (unsigned)from;
                    move.queen_dst = (unsigned)to;
                    move.arrow_dst = (unsigned)arrow;
                    return move;
                }
            taken[from] = 1;
        }
    return move;
}

char const *get_player_name(void)
{
    return NAME;
}

void initialize(unsigned player_id, struct graph_t *given, unsigned count, unsigned *given_queens[NUM_PLAYERS])
{
    graph = given;
    me = player_id;
    num_queens = count;
    n = (int)given->t->size1;
    while ((side + 1) * (side + 1) <= n)
        side++;
    for (int v = 0; v < n; v++)
        for (int dir = 0; dir <= LAST_DIR; dir++)
            next[v][dir] = NOWHERE;
    for (int v = 0; v < n; v++)
        for (int k = given->t->p[v]; k < given->t->p[v + 1]; k++)
            if (leads(given->t->i[k], v))
                next[v][given->t->data[k]] = given->t->i[k];
    for (int player = 0; player < NUM_PLAYERS; player++) {
        queens[player] = given_queens[player];
        for (unsigned q = 0; q < count; q++)
            taken[queens[player][q]] = 1;
    }
    ON_INITIALIZE;
}

struct move_t play(struct move_t previous)
{
    turn++;
    if (previous.queen_src != UINT_MAX)
        apply(1 - me, previous);
    ON_PLAY;
    struct move_t const move = choose();
    if (move.queen_src != UINT_MAX)
        apply(me, move);
    return move;
}

#ifndef WITHOUT_FINALIZE
void finalize(void)
{
    ON_FINALIZE;
    free(graph->t->i);
    free(graph->t->data);
    free(graph->t->p);
    free(graph->t->work.work_void);
    free(graph->t);
    free(graph);
    free(queens[0]);
    free(queens[1]);
}
#endif
