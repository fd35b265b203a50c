//! Each puzzle of docs/puzzles is proven: one move wins, all others lose.

use std::fs;
use std::path::Path;
use std::process::Command;

use amazons_rules::{MoveList, Position};
use amazons_solve::{SolveLimits, Solver};
use tempfile::tempdir;

use super::{page_data, puzzles, shipped, text};
use crate::cli::server;

/// Returns the position after each legal move, with the text of the move.
fn after_each_move(position: &Position) -> Vec<(String, Position)> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let after = |&mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        (position.board().move_text(mv), after)
    };
    moves.iter().map(after).collect()
}

#[test]
fn exactly_one_move_wins_each_sixth() {
    assert_one_move_wins(6);
}

fn assert_one_move_wins(each: usize) {
    let puzzles = puzzles();
    assert_eq!(puzzles.len(), 30);
    let page = page_data(&fs::read_to_string(shipped("puzzles.html")).expect("a file"));
    assert_eq!(page.len(), 30);
    for (puzzle, shown) in puzzles.iter().zip(&page).step_by(each) {
        let position = Position::parse(text(puzzle, "position")).expect("a position");
        let answer = text(puzzle, "move");
        let moves = after_each_move(&position);
        // What one move leads to, others lead to as well.
        let limits = SolveLimits { table_bytes: 16 << 20, proof_positions: 0, ..SolveLimits::default() };
        let solver = Solver::new(&position, &limits).expect("a small board");
        let wins = |position: &Position| {
            solver.solve(position, u64::MAX, &mut || true).winner == Some(position.side_to_move())
        };
        let winners: Vec<_> = moves.iter().filter(|(_, after)| !wins(after)).map(|(mv, _)| &**mv).collect();
        assert_eq!(winners, [answer], "{position}");
        assert!(text(puzzle, "lure") != answer && moves.iter().any(|(mv, _)| mv == text(puzzle, "lure")), "{puzzle}");
        assert_eq!(puzzle["legal_moves"], moves.len());
        // The page has the same, and a reply to each wrong move that wins.
        assert_eq!((text(shown, "position"), text(shown, "answer")), (text(puzzle, "position"), answer));
        let replies = shown["wrong"].as_object().expect("moves");
        assert_eq!(replies.len(), moves.len() - 1, "{position}");
        for (mv, after) in moves.iter().filter(|(mv, _)| mv != answer) {
            let reply = replies[mv][0].as_str().expect("a move");
            let (_, replied) = after_each_move(after).into_iter().find(|(mv, _)| mv == reply).expect("a legal reply");
            assert!(!wins(&replied), "{position}: {mv}, {reply}");
        }
    }
    let visits: Vec<_> = puzzles.iter().map(|puzzle| puzzle["visits"].as_u64().unwrap_or(u64::MAX)).collect();
    assert!(visits.is_sorted(), "the easiest comes first: {visits:?}");
}

/// Has a position proven and the proof walked through by the program without our code; returns the winner.
fn checked(position: &str, folder: &Path) -> String {
    let path = folder.join("a.proof");
    let file = path.display().to_string();
    let solved = server(["solve", position, "--proof", &file, "--table", "16M"]);
    assert_eq!((solved.status, &*solved.err), (0, ""), "{position}");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/solve/check_proof.py");
    let checked = Command::new("python3").arg(script).arg(&path).output().expect("python3");
    assert!(checked.status.success(), "{position}: {checked:?}");
    let winner = solved.out.split_once(' ').expect("a winner").0.to_owned();
    let told = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(told.contains(&format!("{winner} wins")), "{position}: {told}");
    winner
}

#[test]
fn a_program_without_our_code_agrees_who_wins() {
    let folder = tempdir().expect("a folder");
    for puzzle in puzzles().into_iter().step_by(3) {
        assert_eq!(checked(text(&puzzle, "position"), folder.path()), text(&puzzle, "color"), "{puzzle}");
    }
}

mod long {
    use super::*;

    #[test]
    fn exactly_one_move_wins_each_of_the_thirty() {
        assert_one_move_wins(1);
    }

    #[test]
    fn a_program_without_our_code_agrees_on_every_move() {
        let folder = tempdir().expect("a folder");
        for puzzle in puzzles().into_iter().step_by(5) {
            let position = Position::parse(text(&puzzle, "position")).expect("a position");
            for (mv, after) in after_each_move(&position) {
                let winner = checked(&after.to_string(), folder.path());
                assert_eq!(winner == text(&puzzle, "color"), mv == text(&puzzle, "move"), "{position}: {mv}");
            }
        }
    }
}
