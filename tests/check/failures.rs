use std::fs;

use amazons_rules::{Board, Shape};
use tempfile::TempDir;

use super::{build, check, check_with, has_valgrind};
use crate::support;

#[test]
fn the_plain_player_passes() {
    let checked = check_with("", &[]);
    assert_eq!((checked.status, checked.with("failed")), (0, vec![]), "{checked:#?}");
}

/// The range of opinions is told; a value out of range is no failure, but its author hears of it.
#[test]
fn opinions() {
    let thinking = |value: &str| {
        let body =
            format!("#include <stddef.h>\ndouble get_opinion(char const **text) {{ *text = NULL; return {value}; }}");
        check_with(&body, &[])
    };
    let checked = thinking("0.25");
    assert!(
        checked.status == 0 && checked.detail("games").ends_with("; get_opinion: from 0.25 to 0.25"),
        "{checked:#?}"
    );
    let checked = thinking("7");
    assert!(
        checked.status == 0 && checked.detail("games").contains("get_opinion: (opinion 7e0 ignored: "),
        "{checked:#?}"
    );
    assert!(checked.advice("games").contains("from -1, lost, to 1, won"), "{checked:#?}");
    assert!(!check_with("", &[]).detail("games").contains("get_opinion"), "not every player has the function");
}

#[test]
fn not_a_library() {
    let folder = TempDir::new().expect("there is room");
    let file = folder.path().join("player.so");
    for content in [&b"#!/bin/sh\nexit 0\n"[..], b"", b"\x7fELF and nothing else"] {
        fs::write(&file, content).expect("the file can be written");
        let checked = check(&file, ["-m", "5"]);
        checked.assert_only("loads", "");
        assert_eq!(checked.with("skipped").len(), 17, "{checked:#?}");
    }
}

#[test]
fn missing_function() {
    let checked = check_with("#define WITHOUT_FINALIZE", &[]);
    checked.assert_only("functions", "it does not define finalize");
    assert_eq!(checked.with("passed"), ["loads"]);
    let checked = check_with("#define WITHOUT_FINALIZE\nvoid _Z8finalizev(void) {}", &[]);
    checked.assert_only("functions", "it does not define finalize");
}

#[test]
fn names() {
    let long = format!("#define NAME \"{}\"", "n".repeat(65));
    for (definition, part) in [
        ("#define NAME NULL", "NULL"),
        ("#define NAME \"\"", "empty"),
        ("#define NAME \"  \"", "empty"),
        ("#define NAME \"a\\tb\"", "cannot be printed"),
        ("#define NAME \"\\xff\\xfe\"", "not UTF-8"),
        (&long, "65 characters"),
    ] {
        check_with(definition, &[]).assert_only("name", part);
    }
    let fits = check_with(&format!("#define NAME \"{}\"", "ä".repeat(64)), &[]);
    assert_eq!(fits.status, 0, "{fits:#?}");
}

#[test]
fn illegal_move_as_second_player() {
    let checked = check_with("#define ON_PLAY if (me == 1 && turn == 3) return (struct move_t){0, 0, 0}", &[]);
    checked.assert_only("games", "moving second, ply 6: illegal answer");
    assert!(checked.detail("games").contains("(4 of 8 tries failed)"), "{checked:#?}");
    assert!(checked.detail("itself").contains("as in step 5"), "{checked:#?}");
    assert!(checked.step("games")["advice"].as_str().expect("text").contains("server moves --position"));
}

/// A player's test for a donut of this size.
fn is_donut(m: u32) -> String {
    let [donut, others @ ..] =
        [Shape::Donut, Shape::Clover, Shape::FigureEight].map(|shape| Board::new(shape, m).expect("a board"));
    let is_only_there = |&id: &u32| !donut.is_vertex(id) && others.iter().all(|board| board.is_vertex(id));
    let hole = (0..m * m).find(is_only_there).expect("no other shape has all of the donut's holes");
    format!("(n == {} && is_hole({hole}))", m * m)
}

#[test]
fn crash_on_the_donut() {
    let [small, large] = [5, 10].map(is_donut);
    let (_folder, library) = build(&format!("#define ON_INITIALIZE if ({small} || {large}) *(int volatile *)0 = 1"));
    let checked = check(&library, ["-m", "10"]);
    checked.assert_only("initialize", "donut, m = 5, moving first: initialize: killed by SIGSEGV");
    assert!(checked.detail("games").contains("on c, t, 8 (the others: step 3)"), "{checked:#?}");
}

#[test]
fn crash_everywhere() {
    let checked = check_with("#define ON_INITIALIZE abort()", &[]);
    checked.assert_only("initialize", "SIGABRT");
    assert_eq!(checked.with("skipped").len(), 15, "{checked:#?}");
}

#[test]
fn crash_in_finalize() {
    check_with("#define ON_FINALIZE abort()", &[]).assert_only("games", "finalize: killed by SIGABRT");
}

#[test]
fn what_is_not_freed_is_counted() {
    for definition in [
        "#define ON_INITIALIZE char *volatile lost = malloc(100 * n); lost = NULL",
        "#define ON_FINALIZE graph = NULL; queens[0] = queens[1] = NULL; return",
    ] {
        check_with(definition, &[]).assert_only("frees", "bytes passed to it or allocated by it");
    }
}

/// As the runtimes of other languages do.
#[test]
fn what_it_keeps_for_itself_on_every_board_is_told() {
    let checked = check_with("#define ON_INITIALIZE char *volatile own = malloc(5000000); own = NULL", &[]);
    assert_eq!(checked.status, 0, "{checked:#?}");
    let detail = checked.detail("frees");
    assert!(
        detail.starts_with("everything passed to it; it keeps 50") && detail.contains("bytes of its own"),
        "{detail}"
    );
}

#[test]
fn leaks_and_wrong_accesses() {
    for (definition, part) in [
        ("#define ON_INITIALIZE char *volatile lost = malloc(10); lost = NULL", "definitely lost"),
        ("#define ON_PLAY char *volatile block = malloc(8); block[8] = 1; free(block)", "Invalid write"),
    ] {
        let checked = check_with(definition, &["--valgrind"]);
        if has_valgrind() {
            checked.assert_only("frees", part);
        } else {
            assert_eq!((checked.status, checked.detail("frees")), (0, "valgrind is not installed"), "{checked:#?}");
        }
    }
}

#[test]
fn valgrind_names_what_was_counted() {
    if !has_valgrind() {
        return;
    }
    let kept = "#define ON_INITIALIZE char *volatile lost = malloc(100 * n); lost = NULL";
    let checked = check_with(kept, &["--valgrind"]);
    checked.assert_only("frees", "bytes passed to it or allocated by it");
    assert!(checked.detail("frees").contains("definitely lost, in initialize at "), "{checked:#?}");
    assert!(!checked.advice("frees").contains("--valgrind"), "{checked:#?}");

    let crash = check_with("#define ON_INITIALIZE *(int volatile *)0 = 1", &["--valgrind"]);
    assert_eq!((crash.status, crash.with("failed")), (1, vec!["initialize", "frees"]), "{crash:#?}");
    assert!(crash.detail("frees").contains("Invalid write"), "{crash:#?}");
    assert!(!crash.advice("initialize").contains("--valgrind"), "{crash:#?}");
}

#[test]
fn what_it_printed_is_told_with_every_fault() {
    let gives_up = "#include <stdio.h>\n#define ON_PLAY if (turn == 2) { puts(\"first\"); puts(\"note: run with `RUST_BACKTRACE=1`\"); puts(\"second\"); return (struct move_t){UINT_MAX, UINT_MAX, UINT_MAX}; }";
    let checked = check_with(gives_up, &[]);
    checked.assert_only("games", " legal moves (bestmove none, or three times UINT_MAX); it printed 'first | second'");
    assert!(checked.detail("games").contains("illegal answer: it gave up, although it had "), "{checked:#?}");
    assert!(checked.advice("games").contains("it could still move"), "{checked:#?}");
    let late = "#include <stdio.h>\n#define ON_PLAY fputs(\"thinking\\n\", stderr); for (;;) {}";
    let checked = check_with(late, &["--move-time", "100ms"]);
    checked.assert_only("games", "; it printed 'thinking'");
}

#[test]
fn crashes_in_games_get_advice_with_the_file() {
    let (_folder, library) = build("#define ON_PLAY if (turn == 2) *(int volatile *)0 = 1");
    let checked = check(&library, ["-m", "6"]);
    let (file, advice) = (library.display(), checked.advice("games"));
    // Another opponent: two copies of a player in C++ would share variables.
    let (server, random) = (support::server(), support::player("random"));
    let gdb = format!("gdb --args {} --isolation none {file} {}, built with -g", server.display(), random.display());
    assert!(advice.contains(&gdb), "{advice}");
    assert!(advice.contains("the sandbox is off"), "{advice}");
    assert!(advice.ends_with(&format!("server check --valgrind {file}")), "{advice}");
}

#[test]
fn who_does_not_answer_is_asked_once() {
    let checked = check_with("#define ON_PLAY for (;;) {}", &["--move-time", "100ms"]);
    checked.assert_only("games", "(1 of 1 tries failed, 7 more were skipped)");
    for step in [
        "itself",
        "directions",
        "compact_count",
        "rectangular",
        "four_directions",
        "explicit_zeros",
        "csr_as_coo",
        "one_way_edges",
    ] {
        assert_eq!(checked.detail(step), "a move ran out of time, see step 5", "{checked:#?}");
    }
}

#[test]
fn too_slow() {
    let late = burning(800);
    late.assert_only("games", "400ms");
    assert_eq!(late.step("time")["status"], "skipped", "{late:#?}");
}

/// Once in a game, and on one board only, so that the games do not take long.
pub(super) fn burning(millis: u32) -> super::Checked {
    let burns = format!("#define ON_PLAY if (turn == 1 && {}) burn({millis})", is_donut(6));
    check_with(&burns, &["--move-time", "400ms"])
}

#[test]
fn too_much_memory() {
    // Room for the process itself, which is larger when its coverage is measured.
    let donut = is_donut(6);
    let block =
        format!("#define ON_INITIALIZE static char block[112 << 20]; if ({donut}) memset(block, 1, sizeof block)");
    check_with(&block, &["--memory", "128M"]).assert_only("memory", "of 128 MiB, more than 80 % of the limit");
}

#[test]
fn other_games_with_the_same_seed_are_a_warning() {
    let drawn = "#include <time.h>\n#define ON_PLAY struct timespec now; clock_gettime(CLOCK_REALTIME, &now); \
        int const shift = (int)(now.tv_nsec / 1000 % 7); if (turn < 20 && num_queens > 1) { \
        unsigned const q = (unsigned)shift % num_queens, first = queens[me][0]; \
        queens[me][0] = queens[me][q]; queens[me][q] = first; }";
    let checked = check_with(drawn, &[]);
    assert_eq!((checked.status, checked.with("failed")), (0, vec!["repeats"]), "{checked:#?}");
    assert_eq!(checked.summary["warnings"], 1);
}

#[test]
fn what_needs_diagonals_is_warned_about() {
    let checked = check_with(
        "#define ON_INITIALIZE int diagonals = 0; for (int v = 0; v < n; v++) diagonals += next[v][DIR_SE] != NOWHERE; \
        if (diagonals == 0) abort()",
        &[],
    );
    assert_eq!((checked.status, checked.with("failed")), (0, vec!["four_directions"]), "{checked:#?}");
    assert_eq!(checked.step("four_directions")["optional"], true);
}

#[test]
fn what_the_sandbox_forbids_is_not_tried_without_it() {
    let checked = check_with("#include <signal.h>\n#define ON_PLAY if (turn == 2) kill(1, 0)", &["--valgrind"]);
    checked.assert_only("games", "kill");
    assert!(checked.detail("frees").contains("outside the sandbox"), "{checked:#?}");
}

#[test]
fn what_other_servers_hand_out_is_warned_about() {
    for (condition, step) in [
        ("given->num_vertices != given->t->size1", "compact_count"),
        ("given->t->size1 != given->t->size2", "rectangular"),
        ("zeros(given->t)", "explicit_zeros"),
        ("given->t->sptype != GSL_SPMATRIX_CSR", "csr_as_coo"),
        ("one_way(given->t)", "one_way_edges"),
    ] {
        let zeros = "#include \"graph.h\"\nstatic inline int zeros(gsl_spmatrix_uint *t) \
            { for (size_t k = 0; k < t->nz; k++) if (t->data[k] == 0) return 1; return 0; }\n\
            static int leads(int from, int to);\nstatic inline int one_way(gsl_spmatrix_uint *t) \
            { for (int v = 0; v < (int)t->size1; v++) for (int k = t->p[v]; k < t->p[v + 1]; k++) \
            if (t->data[k] != 0 && !leads(t->i[k], v)) return 1; return 0; }";
        let checked = check_with(
            &format!("#define AMAZONS_NO_GSL\n{zeros}\n#define ON_INITIALIZE if ({condition}) abort()"),
            &[],
        );
        assert_eq!((checked.status, checked.with("failed")), (0, vec![step]), "{checked:#?}");
    }
}
