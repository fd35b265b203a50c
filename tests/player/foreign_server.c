/*
 * Another team's server, which knows nothing of ours: it lays its boards out by itself, describes them in one of the
 * conventions of real servers, judges by the plainest rules that there are, and plays at random against the player.
 *
 *     foreign_server PLAYER.so CONVENTION FIRST GAMES
 *
 * Every block that the player is given ends where a page ends that nobody may touch, so that reading beyond it is a crash,
 * and after its free it may not be touched at all. Each game has a process of its own, and its number, from FIRST on, decides
 * on shape, side and size. One line says what went wrong with
 * a game; the last line is the number of games that were whole, legal and freed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "player.h"

enum { SIDE_MAX = 12, CELLS_MAX = SIDE_MAX * SIDE_MAX, EDGES_MAX = CELLS_MAX * 12, PAGE = 4096 };

enum convention {
    CLEAN,
    COMPACT_COUNT,
    COMPACT_IDS,
    RECTANGULAR,
    CARDINAL,
    EXPLICIT_ZEROS,
    COO,
    CSC,
    CSR_AS_COO,
    ONE_WAY,
    UNSORTED,
    NUM_CONVENTIONS
};

static char const *const names[NUM_CONVENTIONS] = {
    "clean", "compact count", "compact ids", "rectangular", "cardinal", "explicit zeros",
    "COO", "CSC", "sptype 0", "one-way edges", "unsorted",
};

static void fail(char const *what)
{
    printf("%s; ", what);
    fflush(stdout);
    _exit(1);
}

/* What the player is given and has to free. */

static struct block {
    char *map;    /* whole pages, the last of which is the fence */
    size_t pages; /* without the fence */
    char *start;
    size_t size;
    void *copy;
    int frees;
} blocks[8];
static int num_blocks;

static void *give(void const *content, size_t size)
{
    struct block *const block = &blocks[num_blocks++];
    block->pages = (size + PAGE - 1) / PAGE;
    block->map = mmap(NULL, (block->pages + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block->map == MAP_FAILED || mprotect(block->map + block->pages * PAGE, PAGE, PROT_NONE) != 0)
        fail("no memory");
    block->start = block->map + block->pages * PAGE - size;
    block->size = size;
    block->copy = malloc(size);
    memcpy(block->start, content, size);
    memcpy(block->copy, content, size);
    return block->start;
}

extern void __libc_free(void *);

/* Takes the place of the C library's for everything in this process. */
void free(void *start)
{
    for (int b = 0; b < num_blocks; b++)
        if (start == blocks[b].start) {
            if (blocks[b].frees++ > 0)
                fail("a block is freed twice");
            if (memcmp(start, blocks[b].copy, blocks[b].size) != 0)
                fail("a block was changed");
            mprotect(blocks[b].map, blocks[b].pages * PAGE, PROT_NONE);
            return;
        }
    __libc_free(start);
}

/* The board: cells of a grid, some of which are holes. */

static int const steps[8][4] = {
    /* down, right, label in a ring, label as in the subject's example */
    {-1, 0, 1, 1}, {-1, 1, 2, 2}, {0, 1, 3, 7}, {1, 1, 4, 4}, {1, 0, 5, 5}, {1, -1, 6, 6}, {0, -1, 7, 3}, {-1, -1, 8, 8},
};

static int m;                    /* cells along a side */
static int exists[CELLS_MAX];    /* is the cell no hole? */
static int id_of[CELLS_MAX];     /* what the player calls the cell */
static int cell_of[CELLS_MAX];   /* the other way round, -1 for holes */
static int diagonals;            /* are there steps along them? */
static int num_ids, num_cells;
static int stone[CELLS_MAX]; /* 0 free, 1 and 2 queens of the sides, 3 arrow */
static unsigned queens[2][8], num_queens;

static int is_hole(char shape, int row, int column)
{
    int const third = m / 3, fifth = m / 5, quarter = m / 4, half = m / 2;
    int const middle = row >= third && row < m - third && column >= third && column < m - third;
    int const near_row = (row >= fifth && row < 2 * fifth) || (row >= m - 2 * fifth && row < m - fifth);
    int const near_column = (column >= fifth && column < 2 * fifth) || (column >= m - 2 * fifth && column < m - fifth);
    int const upper = row >= half - quarter && row < half && column >= half && column < half + quarter;
    int const lower = row >= half && row < half + quarter && column >= half - quarter && column < half;
    return shape == 'd' ? middle : shape == 't' ? near_row && near_column : shape == '8' ? upper || lower : 0;
}

static void lay_out(char shape, enum convention convention)
{
    int const compact = convention == COMPACT_IDS || convention == RECTANGULAR;
    diagonals = convention != CARDINAL;
    num_cells = 0;
    memset(cell_of, -1, sizeof cell_of);
    for (int cell = 0; cell < m * m; cell++) {
        exists[cell] = !is_hole(shape, cell / m, cell % m);
        id_of[cell] = compact ? num_cells : cell;
        if (exists[cell])
            cell_of[id_of[cell]] = cell;
        num_cells += exists[cell];
    }
    num_ids = compact ? num_cells : m * m;
}

/* The cell one step away, or -1. */
static int step_from(int cell, int s)
{
    int const row = cell / m + steps[s][0], column = cell % m + steps[s][1];
    if ((s % 2 == 1 && !diagonals) || row < 0 || row >= m || column < 0 || column >= m || !exists[row * m + column])
        return -1;
    return row * m + column;
}

/* The graph. */

struct edge {
    int from, to;
    unsigned label;
};

static struct edge edges[EDGES_MAX];
static int num_edges;

static void add(int from, int to, unsigned label)
{
    edges[num_edges++] = (struct edge){from, to, label};
}

static int by_row(void const *left, void const *right)
{
    struct edge const *const a = left, *const b = right;
    return a->from != b->from ? a->from - b->from : a->to - b->to;
}

static int by_column(void const *left, void const *right)
{
    struct edge const *const a = left, *const b = right;
    return a->to != b->to ? a->to - b->to : a->from - b->from;
}

static void list_edges(enum convention convention, int numbering)
{
    num_edges = 0;
    for (int cell = 0; cell < m * m; cell++) {
        for (int s = 0; s < 8; s++) {
            int const to = exists[cell] ? step_from(cell, s) : -1;
            if (to >= 0)
                add(id_of[cell], id_of[to], (unsigned)steps[s][2 + numbering]);
        }
        /* Holes were cut by setting what led there to zero, and the diagonal was never cleared. */
        if (convention == EXPLICIT_ZEROS) {
            add(cell, cell, 0);
            if (!exists[cell] && exists[cell - 1])
                add(cell, cell - 1, 0), add(cell - 1, cell, 0);
        }
    }
    if (convention == ONE_WAY) {
        /* Borders that were not looked at: steps to the left from the left one, and one that hides a good edge. */
        int const corner = m * (m - 1);
        add(corner, corner - 1, (unsigned)steps[6][2 + numbering]);
        add(corner, corner - 1 - m, (unsigned)steps[7][2 + numbering]);
        add(m - 1, 0, (unsigned)steps[4][2 + numbering]);
    }
}

static void shuffle(void)
{
    for (int e = num_edges - 1; e > 0; e--) {
        int const other = rand() % (e + 1);
        struct edge const swapped = edges[e];
        edges[e] = edges[other];
        edges[other] = swapped;
    }
}

/* Orders the edges as the convention stores them; COO in any order, and at times by columns, which looks like offsets. */
static void arrange(enum convention convention)
{
    if (convention == COO && rand() % 2 == 0)
        shuffle();
    else
        qsort(edges, (size_t)num_edges, sizeof *edges, convention == COO || convention == CSC ? by_column : by_row);
    if (convention != UNSORTED)
        return;
    for (int end, start = 0; start < num_edges; start = end) {
        for (end = start; end < num_edges && edges[end].from == edges[start].from;)
            end++;
        for (int e = start; e < end; e++) {
            int const other = start + rand() % (end - start);
            struct edge const swapped = edges[e];
            edges[e] = edges[other];
            edges[other] = swapped;
        }
    }
}

static struct graph_t *give_graph(enum convention convention)
{
    static int i[EDGES_MAX], p[EDGES_MAX + 1];
    static unsigned data[EDGES_MAX];
    static char work[sizeof(int) * CELLS_MAX];
    int const coo = convention == COO, csc = convention == CSC;
    int const width = convention == RECTANGULAR ? m * m : num_ids;
    int const lines = csc ? width : num_ids;
    for (int e = 0; e < num_edges; e++) {
        i[e] = coo || csc ? edges[e].from : edges[e].to;
        data[e] = edges[e].label;
    }
    if (coo)
        for (int e = 0; e < num_edges; e++)
            p[e] = edges[e].to;
    else
        for (int line = 0, e = 0; line <= lines; line++) {
            while (e < num_edges && (csc ? edges[e].to : edges[e].from) < line)
                e++;
            p[line] = e;
        }
    gsl_spmatrix_uint const t = {
        .size1 = (size_t)num_ids,
        .size2 = (size_t)width,
        .i = give(i, sizeof(int) * (size_t)num_edges),
        .data = give(data, sizeof(unsigned) * (size_t)num_edges),
        .p = give(p, sizeof(int) * (size_t)(coo ? num_edges : lines + 1)),
        .nzmax = (size_t)num_edges,
        .nz = (size_t)num_edges,
        .work.work_void = give(work, sizeof(int) * (size_t)width),
        .sptype = csc ? GSL_SPMATRIX_CSC : coo || convention == CSR_AS_COO ? GSL_SPMATRIX_COO : GSL_SPMATRIX_CSR,
    };
    int const count = convention == COMPACT_COUNT || convention == RECTANGULAR ? num_cells : num_ids;
    struct graph_t const graph = {(unsigned)count, give(&t, sizeof t)};
    return give(&graph, sizeof graph);
}

/* The rules, by walking. */

/* Does a stone reach the second cell from the first one? */
static int reaches(int from, int to)
{
    for (int s = 0; s < 8; s++)
        for (int cell = step_from(from, s); cell >= 0 && stone[cell] == 0; cell = step_from(cell, s))
            if (cell == to)
                return 1;
    return 0;
}

static int cell_at(unsigned id)
{
    return id < (unsigned)num_ids ? cell_of[id] : -1;
}

/* Plays the move if it is legal. */
static int play_move(int side, struct move_t move)
{
    int const from = cell_at(move.queen_src), to = cell_at(move.queen_dst), arrow = cell_at(move.arrow_dst);
    if (from < 0 || to < 0 || arrow < 0 || stone[from] != side + 1 || !reaches(from, to))
        return 0;
    stone[from] = 0;
    stone[to] = side + 1;
    if (reaches(to, arrow)) {
        stone[arrow] = 3;
        return 1;
    }
    stone[to] = 0;
    stone[from] = side + 1;
    return 0;
}

static int can_move(int side)
{
    for (int cell = 0; cell < m * m; cell++)
        for (int s = 0; stone[cell] == side + 1 && s < 8; s++)
            if (step_from(cell, s) >= 0 && stone[step_from(cell, s)] == 0)
                return 1;
    return 0;
}

static struct move_t random_move(int side)
{
    for (;;) {
        struct move_t const move = {(unsigned)(rand() % num_ids), (unsigned)(rand() % num_ids), (unsigned)(rand() % num_ids)};
        if (play_move(side, move))
            return move;
    }
}

/* Half of the queens on top, half at the bottom, four a side. */
static void place_queens(void)
{
    int const cells[2][4] = {{1, m - 2, m, 2 * m - 1}, {m * m - 2, m * m - m + 1, m * m - m - 1, m * m - 2 * m}};
    num_queens = 4;
    memset(stone, 0, sizeof stone);
    for (int side = 0; side < 2; side++)
        for (int q = 0; q < 4; q++) {
            stone[cells[side][q]] = side + 1;
            queens[side][q] = (unsigned)id_of[cells[side][q]];
        }
}

static void *function(void *library, char const *name)
{
    void *const found = dlsym(library, name);
    if (found == NULL)
        fail(name);
    return found;
}

static void play_game(char const *path, enum convention convention, int game)
{
    char seed[16];
    snprintf(seed, sizeof seed, "%d", game);
    setenv("AMAZONS_SEED", seed, 1);
    srand((unsigned)game + 1);
    m = 5 + game / 4 % (SIDE_MAX - 6);
    int const me = game / 2 % 2;
    lay_out("cdt8"[game % 4], convention);
    place_queens();
    list_edges(convention, game / 8 % 2);
    arrange(convention);

    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail(dlerror());
    void (*const initialize_)(unsigned, struct graph_t *, unsigned, unsigned **) = function(library, "initialize");
    char const *(*const get_player_name_)(void) = function(library, "get_player_name");
    struct move_t (*const play_)(struct move_t) = function(library, "play");
    void (*const finalize_)(void) = function(library, "finalize");

    unsigned *given[2] = {give(queens[0], sizeof(unsigned) * num_queens), give(queens[1], sizeof(unsigned) * num_queens)};
    initialize_((unsigned)me, give_graph(convention), num_queens, given);
    if (get_player_name_() == NULL)
        fail("no name");
    struct move_t previous = {UINT_MAX, UINT_MAX, UINT_MAX};
    for (int side = 0; can_move(side); side = 1 - side) {
        if (side != me) {
            previous = random_move(side);
            continue;
        }
        previous = play_(previous);
        if (!play_move(side, previous)) {
            printf("%d-%d/%d: ", (int)previous.queen_src, (int)previous.queen_dst, (int)previous.arrow_dst);
            fail("an illegal move");
        }
    }
    finalize_();
    if (num_blocks != 8)
        fail("this server gave something else");
    for (int b = 0; b < num_blocks; b++)
        if (blocks[b].frees != 1)
            fail("a block is not freed");
    _exit(0);
}

int main(int argc, char **argv)
{
    int convention = 0, sound = 0;
    while (argc == 5 && convention < NUM_CONVENTIONS && strcmp(argv[2], names[convention]) != 0)
        convention++;
    if (argc != 5 || convention == NUM_CONVENTIONS)
        return 2;
    int const first = atoi(argv[3]), games = atoi(argv[4]);
    for (int game = first; game < first + games; game++) {
        int status = 0;
        pid_t const child = fork();
        if (child == 0)
            play_game(argv[1], (enum convention)convention, game);
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 2;
        sound += status == 0;
        if (status != 0)
            printf("game %d: %s %d\n", game, WIFSIGNALED(status) ? "signal" : "status",
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        fflush(stdout);
    }
    printf("%d\n", sound);
    return 0;
}
