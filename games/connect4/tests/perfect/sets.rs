//! Lists of positions with their scores, and what they may cost.

use std::env;
use std::fs;
use std::path::Path;

use connect4::Size;

use super::{MEMORY, position};

/// The public sets of 1,000 positions each, and the most positions to search for one of theirs on average.
const SETS: [(&str, f64); 6] = [
    ("end-easy", 51.3),
    ("middle-easy", 449.0),
    ("middle-medium", 39_800.0),
    ("begin-easy", 3_300.0),
    ("begin-medium", 1_190_000.0),
    ("begin-hard", f64::INFINITY),
];

/// Solves each line, `MOVES SCORE`, with an empty table; returns the number of lines, and of positions searched.
fn solve(text: &str, bytes: u64) -> (u32, u64) {
    let mut solver = connect4::perfect::Solver::with_full_table(Size::STANDARD, bytes, 1).expect("memory");
    let mut number = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (moves, expected) = line.split_once(' ').expect("moves and a score");
        solver.clear();
        let score = solver.score(&position(Size::STANDARD, moves), &|| false);
        assert_eq!(score.map(|score| score.to_string()).as_deref(), Some(expected.trim()), "{moves}");
        number += 1;
    }
    (number, solver.nodes())
}

#[test]
fn a_few_lines_of_each_public_set_take_no_more_than_they_did() {
    let (number, nodes) = solve(include_str!("../data/positions.txt"), MEMORY);
    println!("{number} positions: {nodes}");
    assert!(number > 10 && nodes < NODES_PUBLIC * 51 / 50, "{nodes} positions instead of {NODES_PUBLIC}");
}

#[test]
fn random_positions_take_no_more_than_they_did() {
    let (number, nodes) = solve(include_str!("../data/generated.txt"), MEMORY);
    println!("{number} positions: {nodes}");
    assert!(number == 48 && nodes < NODES_GENERATED * 51 / 50, "{nodes} positions instead of {NODES_GENERATED}");
}

/// What the lists take on one thread.
const NODES_PUBLIC: u64 = 275_952;
const NODES_GENERATED: u64 = 789_987;

mod long {
    use super::*;

    /// `CONNECT4_SETS=FOLDER make test-long ARGS=sets`: the whole sets, those of them that are there.
    #[test]
    fn whole_sets_are_right_and_cheap() {
        let Some(folder) = env::var_os("CONNECT4_SETS") else {
            println!("skipped: CONNECT4_SETS names no folder with the public sets");
            return;
        };
        let mut found = 0;
        for (name, most) in SETS {
            let Ok(text) = fs::read_to_string(Path::new(&folder).join(name)) else { continue };
            let (number, nodes) = solve(&text, 1 << 27);
            let mean = nodes as f64 / f64::from(number);
            println!("{name}: {number} positions, each {mean:.1}");
            assert!(mean <= most, "{name}: {mean:.1} positions each, {most} at most");
            found += 1;
        }
        assert!(found > 0, "{}: has none of the sets", folder.display());
    }
}
