//! `server check` with players that need a numbering.

use super::{BY_RING, BY_SUBJECT};
use crate::check::check_with;

/// Ids without the holes no longer follow rows and columns: players that compute with them cannot play there.
#[test]
fn a_player_that_needs_the_subjects_numbering_passes_and_is_told() {
    let checked = check_with(BY_SUBJECT, &[]);
    assert_eq!((checked.status, checked.with("failed")), (0, vec!["directions", "rectangular"]), "{checked:#?}");
    assert_eq!(checked.summary["directions"], "subject");
    let detail = checked.detail("directions");
    let needs = "it needs the numbering subject (east 7, west 3); with ring (east 3, west 7): square, m = 6, moving ";
    assert!(detail.starts_with(needs) && detail.contains("illegal answer"), "{detail}");
    assert!(checked.advice("directions").contains("--directions subject"), "{checked:#?}");
    assert!(checked.detail("games").ends_with("with --directions subject"), "{checked:#?}");
}

#[test]
fn a_player_that_needs_the_ring_passes_by_default() {
    let checked = check_with(BY_RING, &[]);
    assert_eq!((checked.status, checked.with("failed")), (0, vec!["directions", "rectangular"]), "{checked:#?}");
    assert!(checked.summary["directions"].is_null(), "{checked:#?}");
    let detail = checked.detail("directions");
    let needs = "it needs the numbering ring (east 3, west 7); with subject (east 7, west 3): ";
    assert!(detail.starts_with(needs) && detail.contains("illegal answer"), "{detail}");
}

#[test]
fn the_numbering_to_begin_with_can_be_chosen() {
    let checked = check_with(BY_RING, &["--directions", "subject"]);
    assert_eq!((checked.status, checked.with("failed")), (0, vec!["directions", "rectangular"]), "{checked:#?}");
    assert_eq!(checked.summary["directions"], "ring");
    let checked = check_with(BY_SUBJECT, &["--directions", "subject"]);
    assert_eq!((checked.status, checked.with("failed")), (0, vec!["directions", "rectangular"]), "{checked:#?}");
    assert!(checked.summary["directions"].is_null(), "{checked:#?}");
}

#[test]
fn a_player_that_compares_labels_plays_with_both() {
    let checked = check_with("", &[]);
    assert_eq!((checked.status, checked.with("failed")), (0, vec![]), "{checked:#?}");
    let detail = checked.detail("directions");
    assert!(detail.starts_with("subject: 12 games on c, d, t, 8; ring: steps 5 and 6"), "{detail}");
    assert!(checked.summary["directions"].is_null(), "{checked:#?}");
}

/// It computes neighbours only in games against itself, which it knows by the first move.
#[test]
fn a_need_that_only_shows_against_itself_is_found() {
    let mirrored = "#define AMAZONS_NO_GSL\n#include \"player.h\"\n\
        static struct move_t expected;\nstatic int is_mirrored;\n\
        #define ON_INITIALIZE if (me == 1) { me = 0; expected = choose(); me = 1; }\n\
        #define ON_PLAY if (me == 1 && turn == 1) is_mirrored = previous.queen_src == expected.queen_src \
            && previous.queen_dst == expected.queen_dst && previous.arrow_dst == expected.arrow_dst\n\
        #define NEIGHBOUR(v, dir) (is_mirrored \
            ? (v) + (int[]){0, -side, 1 - side, -1, side + 1, side, side - 1, 1, -side - 1}[dir] : next[v][dir])";
    let checked = check_with(mirrored, &[]);
    assert_eq!((checked.status, checked.with("failed")), (0, vec!["directions"]), "{checked:#?}");
    assert_eq!(checked.summary["directions"], "subject");
    let detail = checked.detail("directions");
    assert!(detail.contains("with ring (east 3, west 7): ") && detail.contains("against itself"), "{detail}");
    assert!(!checked.detail("games").contains("--directions"), "with the ring, they went well: {checked:#?}");
}

#[test]
fn a_player_that_initialize_cannot_get_to_work_with_the_ring() {
    let asserts = "#include <stdlib.h>\n#define ON_INITIALIZE if (next[0][7] != 1) abort()";
    let checked = check_with(asserts, &[]);
    let failed = checked.with("failed");
    assert_eq!((checked.status, failed.contains(&"initialize")), (0, false), "{checked:#?}");
    assert_eq!(checked.summary["directions"], "subject");
    assert!(checked.detail("directions").contains("initialize: "), "{checked:#?}");
}

#[test]
fn a_player_that_fails_with_both_fails() {
    let checked = check_with("#define ON_PLAY if (turn == 2) return (struct move_t){0, 0, 0}", &[]);
    assert_eq!((checked.status, checked.with("failed")), (1, vec!["games"]), "{checked:#?}");
    assert!(checked.summary["directions"].is_null(), "{checked:#?}");
    assert_eq!(checked.detail("directions"), "it fails as in step 5");
}

/// It crashes in a few games with either numbering: that the other one led to games without a crash proves nothing.
#[test]
fn a_rare_crash_is_not_taken_for_a_need() {
    let mut blamed = Vec::new();
    for bug in 34..46 {
        let rare = format!(
            "#include <stdlib.h>\n#define ON_PLAY {{ int steps = 0; for (unsigned q = 0; q < num_queens; q++) \
             for (int dir = FIRST_DIR; dir <= LAST_DIR; dir++) \
             for (int v = step((int)queens[me][q], dir); v != NOWHERE; v = step(v, dir)) steps++; \
             if (steps == {bug}) abort(); }}"
        );
        let checked = check_with(&rare, &[]);
        if !checked.summary["directions"].is_null() {
            blamed.push((bug, checked));
        }
    }
    assert!(blamed.is_empty(), "{blamed:#?}");
}
