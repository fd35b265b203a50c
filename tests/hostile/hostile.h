/*
 * An honest player that plays the first legal move, and calls what a behaviour defines before and after.
 *
 * A behaviour is one file that includes this one and defines the hooks that it needs. It may read and change `game`.
 */
#ifndef AMAZONS_HOSTILE_H
#define AMAZONS_HOSTILE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef AMAZONS_NO_GSL
#define AMAZONS_NO_GSL
#endif

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "player.h"

#define MAYBE_UNUSED __attribute__((unused))
#define HOOK __attribute__((weak))

/* The hooks: a behaviour defines those that it needs. */
HOOK void on_load(void);                    /* in a constructor */
HOOK void on_initialize(void);              /* at the start of initialize */
HOOK void on_name(void);                    /* at the start of get_player_name */
HOOK void on_play(unsigned turn);           /* at the start of play; turn counts from 0 */
HOOK void on_answer(struct move_t *answer); /* just before play returns */
HOOK void on_finalize(void);                /* at the start of finalize */
HOOK void on_unload(void);                  /* in a destructor */

/* Returned by get_player_name when it is set. */
static MAYBE_UNUSED char const *name_override;

/* The game. A behaviour that sets `graph` to NULL in on_finalize frees everything itself. */
static MAYBE_UNUSED struct {
    unsigned me, vertices, queens, turn;
    struct graph_t *graph;
    unsigned *queen[NUM_PLAYERS];
    unsigned **outer; /* the array of both, which stays the server's */
    unsigned char *taken;
    struct move_t previous;
} game;

/* Something succeeded that must be impossible. */
static MAYBE_UNUSED __attribute__((format(printf, 1, 2))) void harm(char const *format, ...) {
    char line[512] = "HARM: ";
    size_t const head = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    int len = vsnprintf(line + head, sizeof line - head - 1, format, arguments);
    va_end(arguments);
    size_t end = head + (len < 0 ? 0 : (size_t)len);
    end = end > sizeof line - 2 ? sizeof line - 2 : end;
    line[end] = '\n';
    /* Nobody is left to be told when this fails. */
    ssize_t written = write(STDERR_FILENO, line, end + 1);
    (void)written;
}

/* A call that must fail did, or it is harm. */
static MAYBE_UNUSED void refused(char const *what, long result) {
    if (result != -1) {
        harm("%s succeeded: %ld", what, result);
    }
}

static MAYBE_UNUSED void nap(unsigned milliseconds) {
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    while (nanosleep(&time, &time) == -1 && errno == EINTR) {
    }
}

/* Milliseconds of wall clock. */
static MAYBE_UNUSED uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* The parent of a process as /proc tells it, else -1. */
static MAYBE_UNUSED pid_t parent_of(pid_t pid) {
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file == -1) {
        return -1;
    }
    ssize_t len = read(file, text, sizeof text - 1);
    close(file);
    text[len < 0 ? 0 : len] = '\0';
    char const *rest = strrchr(text, ')');
    int parent = -1;
    return rest != NULL && sscanf(rest, ") %*c %d", &parent) == 1 ? parent : -1;
}

/* The rival's process: another child of the server. A number above the kernel's limit when it cannot be seen. */
static MAYBE_UNUSED pid_t rival(void) {
    pid_t const me = getpid(), server = getppid();
    for (int distance = 1; distance < 200; distance++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            pid_t const pid = me + sign * distance;
            if (pid > 1 && parent_of(pid) == server) {
                return pid;
            }
        }
    }
    return 0x7ffffff0;
}

/* A reply as the server expects it: see src/host/frame.rs. */
struct reply_t {
    char magic[4];
    uint32_t topic; /* 1 set-up, 2 load, 3 initialize, 4 name, 5 play, 6 finalize */
    uint64_t sequence;
    struct move_t move;
    uint32_t outcome; /* 1 done, 2 played, 3 named, 4 unnamed, 5 failed */
    uint32_t text_len, reserved;
    char text[472];
};

/* The number of the request for a turn's move: set-up is 0, load 1, initialize 2, name 3. */
enum { FIRST_PLAY = 4 };

static MAYBE_UNUSED struct reply_t forged(uint32_t topic, uint64_t sequence, uint32_t outcome) {
    unsigned const none = UINT_MAX;
    return (struct reply_t){{'A', 'm', 'z', 'A'}, topic, sequence, {none, none, none}, outcome, 0, 0, {0}};
}

/* The pipe to the server (O_WRONLY) or from it (O_RDONLY), or -1. */
static MAYBE_UNUSED int pipe_to_server(int access) {
    for (int fd = 3; fd < 1024; fd++) {
        struct stat about;
        int const flags = fcntl(fd, F_GETFL);
        if (flags != -1 && (flags & O_ACCMODE) == access && fstat(fd, &about) == 0 && S_ISFIFO(about.st_mode)) {
            return fd;
        }
    }
    return -1;
}

static MAYBE_UNUSED void tell(void const *bytes, size_t len) {
    ssize_t written = write(pipe_to_server(O_WRONLY), bytes, len);
    (void)written;
}

/* The vertex next to one in a direction, or UINT_MAX. */
static MAYBE_UNUSED unsigned step(unsigned from, unsigned direction) {
    gsl_spmatrix_uint const *t = game.graph->t;
    for (int k = t->p[from]; k < t->p[from + 1]; k++) {
        if (t->data[k] == direction) {
            return (unsigned)t->i[k];
        }
    }
    return UINT_MAX;
}

static MAYBE_UNUSED int is_free(unsigned vertex) {
    return vertex != UINT_MAX && !game.taken[vertex];
}

/* Any legal move: the first one, or three times UINT_MAX when there is none. */
static MAYBE_UNUSED struct move_t first_legal(void) {
    for (unsigned q = 0; q < game.queens; q++) {
        unsigned const from = game.queen[game.me][q];
        for (unsigned d = FIRST_DIR; d <= LAST_DIR; d++) {
            unsigned const to = step(from, d);
            /* The vertex that the queen left is always free, and always in reach of an arrow. */
            if (is_free(to)) {
                return (struct move_t){from, to, from};
            }
        }
    }
    return (struct move_t){UINT_MAX, UINT_MAX, UINT_MAX};
}

static MAYBE_UNUSED void apply(struct move_t move) {
    if (move.queen_src == UINT_MAX) {
        return;
    }
    for (unsigned side = 0; side < NUM_PLAYERS; side++) {
        for (unsigned q = 0; q < game.queens; q++) {
            if (game.queen[side][q] == move.queen_src) {
                game.queen[side][q] = move.queen_dst;
            }
        }
    }
    game.taken[move.queen_src] = 0;
    game.taken[move.queen_dst] = 1;
    game.taken[move.arrow_dst] = 1;
}

static __attribute__((constructor)) void hostile_load(void) {
    if (on_load) {
        on_load();
    }
}

static __attribute__((destructor)) void hostile_unload(void) {
    if (on_unload) {
        on_unload();
    }
}

void initialize(unsigned int player_id, struct graph_t *graph, unsigned int num_queens,
                unsigned int *queens[NUM_PLAYERS]) {
    game.me = player_id;
    game.graph = graph;
    game.vertices = graph->num_vertices;
    game.queens = num_queens;
    game.outer = queens;
    game.taken = calloc(graph->num_vertices, 1);
    for (unsigned side = 0; side < NUM_PLAYERS; side++) {
        game.queen[side] = queens[side];
        for (unsigned q = 0; q < num_queens && game.taken != NULL; q++) {
            game.taken[queens[side][q]] = 1;
        }
    }
    if (on_initialize) {
        on_initialize();
    }
}

#ifndef HOSTILE_OWN_NAME /* defined by a behaviour that exports its own */
char const *get_player_name(void) {
    if (on_name) {
        on_name();
    }
    return name_override != NULL ? name_override : "hostile";
}
#endif

struct move_t play(struct move_t previous_move) {
    game.previous = previous_move;
    if (on_play) {
        on_play(game.turn);
    }
    apply(previous_move);
    struct move_t answer = first_legal();
    apply(answer);
    game.turn++;
    if (on_answer) {
        on_answer(&answer);
    }
    return answer;
}

void finalize(void) {
    if (on_finalize) {
        on_finalize();
    }
    if (game.graph == NULL) {
        return;
    }
    gsl_spmatrix_uint *t = game.graph->t;
    free(t->i);
    free(t->p);
    free(t->data);
    free(t->work.work_void);
    free(t);
    free(game.graph);
    free(game.queen[0]);
    free(game.queen[1]);
    free(game.taken);
}

#endif
