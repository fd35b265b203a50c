//! Another team's server in C, which makes its matrix with GSL's insertion format, and a bundled player.

use std::process::Command;
use std::str;

use tempfile::TempDir;

use crate::support;

/// Three vertices in a line; the matrix has a search tree, which only `gsl_spmatrix_uint_free` can free.
const SERVER: &str = r#"
    #include <dlfcn.h>
    #include <limits.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include "player.h"

    static void *copy(void const *source, size_t size) { return memcpy(malloc(size), source, size); }

    void gsl_spmatrix_uint_free(gsl_spmatrix_uint *t) {
        printf("matrix with %zu entries freed\n", t->nz);
        free(t->i), free(t->data), free(t->p), free(t->work.work_void), free(t->tree), free(t);
    }

    int main(int argc, char **argv) {
        void *player = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
        if (player == NULL)
            return puts(dlerror()), 1;
        void (*initialize_)(unsigned, struct graph_t *, unsigned, unsigned **) = dlsym(player, "initialize");
        char const *(*get_player_name_)(void) = dlsym(player, "get_player_name");
        struct move_t (*play_)(struct move_t) = dlsym(player, "play");
        void (*finalize_)(void) = dlsym(player, "finalize");

        gsl_spmatrix_uint t = {.size1 = 3, .size2 = 3, .nzmax = 8, .nz = 4, .sptype = GSL_SPMATRIX_COO};
        t.i = copy((int[8]){0, 1, 1, 2}, 8 * sizeof(int));
        t.p = copy((int[8]){1, 0, 2, 1}, 8 * sizeof(int));
        t.data = copy((unsigned[8]){7, 3, 7, 3}, 8 * sizeof(unsigned));
        t.tree = malloc(1);
        t.work.work_void = malloc(3 * sizeof(int));
        struct graph_t graph = {3, copy(&t, sizeof t)};
        unsigned *queens[2] = {copy((unsigned[1]){0}, 4), copy((unsigned[1]){2}, 4)};

        initialize_(0, copy(&graph, sizeof graph), 1, queens);
        struct move_t const none = {UINT_MAX, UINT_MAX, UINT_MAX};
        struct move_t const move = play_(none);
        printf("%s: %u-%u/%u\n", get_player_name_(), move.queen_src, move.queen_dst, move.arrow_dst);
        struct move_t const reply = play_(move);
        printf("gave up: %d\n", reply.queen_src == UINT_MAX && reply.queen_dst == UINT_MAX);
        fflush(stdout);
        finalize_();
        finalize_();
        return 0;
    }
"#;

#[test]
fn a_player_lives_with_it_and_says_why_it_gives_up() {
    let folder = TempDir::new().expect("there is room for a temporary folder");
    let server = folder.path().join("server");
    // The player finds the function that frees the matrix in the program, as it would in one that links GSL.
    support::compile_program(SERVER, &server);

    let output = Command::new(server).arg(support::player("random")).output().expect("the server starts");
    assert!(output.status.success(), "{output:?}");
    // Only the arrow's target is free to choose: none but the queen's old place.
    assert_eq!(str::from_utf8(&output.stdout), Ok("random: 0-1/0\ngave up: 1\nmatrix with 4 entries freed\n"));
    let complaint = "random: the previous move is not legal: there is no queen on 0\n";
    assert!(str::from_utf8(&output.stderr).is_ok_and(|text| text.contains(complaint)), "{output:?}");
}
