use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use amazons::analysis::{Fact, facts};
use amazons_rules::{Board, Color, Move, Nearer, Position, Shape, Territory};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::any_position;
use crate::rules::renumbered;

/// Checks the sentences about a move; an empty `better` stands for none.
fn assert_told(position: &str, played: &str, better: &str, expected: &[&str]) {
    let position = Position::parse(position).expect("a position");
    let read = |text: &str| {
        let mv = position.parse_move(text).expect("a move");
        position.is_legal(mv).expect("a legal move");
        mv
    };
    let better_move = (!better.is_empty()).then(|| read(better));
    let told: Vec<String> = facts(&position, read(played), better_move).iter().map(ToString::to_string).collect();
    assert_eq!(told, expected, "{position} {played} {better}");
}

#[test]
fn safe_moves_that_decide() {
    // A wall at d1: White has e1, f1 and g1, and needs to keep two of them.
    let given = "Black is sure of 2 more moves and can hold White to none, enough to win.";
    let kept =
        "After h1-g1/h1 White would have been sure of 2 more moves and could have held Black to 2, enough to win.";
    assert_told("q2*3Q w", "h1-e1/f1", "h1-g1/h1", &[given, kept]);
    assert_told("q2*3Q w", "h1-e1/f1", "", &[given]);
    // Decided before, and nothing else changed.
    assert_told("q2*3Q w", "h1-g1/h1", "", &[]);
    assert_told("q1*2Q w", "f1-e1/f1", "", &[]);
    let one = "White is sure of 1 more move and can hold Black to 1, enough to win.";
    assert_told("q3Q w", "e1-d1/c1", "", &[one]);
    assert_told("q2Q w", "d1-b1/c1", "", &["Black can no longer move."]);
    let lost = "Black is sure of 2 more moves and can hold White to none, enough to win.";
    assert_told("q2Q1 w", "d1-e1/d1", "d1-b1/c1", &[lost, "After d1-b1/c1 Black could no longer have moved."]);
}

#[test]
fn regions_that_are_closed() {
    // A wall from d1 to d3 with a gap at d2.
    let gap = "3*3/q6/3*2Q";
    let counted = "White is sure of 8 more moves and can hold Black to 8, enough to win.";
    let closed = "The arrow closes a region of 8 squares that only Black can reach.";
    assert_told(&format!("{gap} w"), "g1-g2/d2", "", &[counted, closed]);
    let sure =
        "After a2-d2/c2 Black would have been sure of 8 more moves and could have held White to 8, enough to win.";
    let door = "a2-d2/c2 would have closed a region of 8 squares that only Black could reach unless it let White in.";
    assert_told(&format!("{gap} b"), "a2-a1/a2", "a2-d2/c2", &[sure, door]);
    let counted = "Black is sure of 8 more moves and can hold White to 8, enough to win.";
    let door = "The move closes a region of 8 squares that only Black can reach unless it lets White in.";
    assert_told(&format!("{gap} b"), "a2-d2/c2", "", &[counted, door]);
    let sure =
        "After g1-g2/d2 White would have been sure of 8 more moves and could have held Black to 8, enough to win.";
    let region = "g1-g2/d2 would have closed a region of 8 squares that only White could reach.";
    assert_told(&format!("{gap} w"), "g1-f1/g1", "g1-g2/d2", &[sure, region]);
}

#[test]
fn queens_that_are_enclosed() {
    // The corner a3 to b4 has a way out at c2.
    let corner = "Q1*2Q/2*3/**4/5q w";
    let shut = "White's queen on b3 is shut in with 3 squares.";
    let reach = "After a4-b3/d1 White's queen on b3 would still reach 16 squares.";
    assert_told(corner, "a4-b3/c2", "a4-b3/d1", &[shut, reach]);
    assert_told(corner, "a4-b3/c2", "", &[shut]);
    // A queen in the way out may leave it.
    let corner = "Q1*2Q/2*3/**3q/6 b";
    assert_told(corner, "f2-c2/f2", "", &["White's queen on a4 is shut in with 3 squares unless Black makes way."]);
    let shut = "After f2-c2/f2 White's queen on a4 would have been shut in with 3 squares unless Black made way.";
    let nearer = "After f2-c2/f2 Black would have been nearer to 4 squares and White to 5; after the move played it is \
                  5 to 9.";
    assert_told(corner, "f2-f1/f2", "f2-c2/f2", &[shut, nearer]);
}

#[test]
fn queens_that_can_no_longer_move() {
    let corner = "Q4Q/**4/6/5q b";
    assert_told(corner, "f1-e1/b4", "", &["White's queen on a4 can no longer move."]);
    let blocked = "After f1-e1/b4 White's queen on a4 could no longer have moved.";
    let nearer = "After f1-e1/b4 Black would have been nearer, in single steps, to 12 squares and White to 4; after \
                  the move played it is 3 to 7.";
    assert_told(corner, "f1-f2/f1", "f1-e1/b4", &[blocked, nearer]);
    let plugged = "White's queen on a4 can no longer move unless Black makes way.";
    assert_told("Q4Q/**4/3q2/6 b", "d2-b4/c4", "", &[plugged]);
}

#[test]
fn squares_that_a_side_would_be_nearer_to() {
    // Behind e1, White alone comes to b1, c1 and d1; each side sees all that lie between the queens.
    let nearer =
        "After a1-e1/a1 White would have been nearer to 3 squares and Black to 0; after the move played it is 0 to 0.";
    assert_told(
        "Q8q w",
        "a1-b1/a1",
        "a1-e1/a1",
        &["After a1-e1/a1 Black's queen on j1 would have been shut in with 4 squares unless White made way.", nearer],
    );
}

/// A game in which each side takes the best of some random moves for its territory, or any move.
fn game(shape: Shape, m: u32, greedy: bool, rng: &mut Xoshiro256PlusPlus) -> (Position, Vec<Move>) {
    let start = any_position(shape, m, 0, rng);
    let (mut position, mut moves) = (start.clone(), Vec::new());
    while position.has_moves() && moves.len() < 120 {
        let draws: Vec<Move> = (0..if greedy { 8 } else { 1 }).filter_map(|_| position.random_move(rng)).collect();
        let gain = |mv: &Move| {
            let mut after = position.clone();
            after.play_unchecked(*mv);
            let territory = Territory::new(&after);
            let [own, other] =
                [position.side_to_move(), after.side_to_move()].map(|color| territory.count(Nearer::Color(color)));
            own.cast_signed() - other.cast_signed()
        };
        let mv = *draws.iter().max_by_key(|&mv| gain(mv)).expect("a move");
        position.play_unchecked(mv);
        moves.push(mv);
    }
    (start, moves)
}

/// Writes a game as an annotated record, with a random move as the better one now and then.
fn record(start: &Position, moves: &[Move], rng: &mut Xoshiro256PlusPlus) -> String {
    let board = start.board();
    let holes: Vec<u32> = board.holes().collect();
    let queens = json!({"black": start.queens(Color::Black), "white": start.queens(Color::White)});
    let shape = json!({"columns": board.columns(), "rows": board.rows(), "holes": holes});
    let mut lines =
        format!("{}\n", json!({"event": "start", "board": shape, "queens": queens, "position": start.to_string()}));
    let mut position = start.clone();
    for (ply, &mv) in (1..).zip(moves) {
        let better = position.random_move(rng).filter(|&better| better != mv && ply % 4 != 0);
        let told: Vec<String> = facts(&position, mv, better).iter().map(ToString::to_string).collect();
        let event = json!({"event": "move", "ply": ply, "text": board.move_text(mv), "analysis": {"facts": told}});
        lines.push_str(&format!("{event}\n"));
        position.play_unchecked(mv);
    }
    lines
}

fn check(records: &[String]) -> Output {
    let folder = TempDir::new().expect("a folder");
    let files = records.iter().enumerate().map(|(number, record)| {
        let file = folder.path().join(format!("{number}.jsonl"));
        fs::write(&file, record).expect("a record");
        file
    });
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/analysis/check_facts.py");
    Command::new("/usr/bin/python3").arg(script).args(files).output().expect("it runs")
}

fn has_python() -> bool {
    let found = Path::new("/usr/bin/python3").exists();
    if !found {
        amazons_testing::skip("there is no /usr/bin/python3 (Debian: apt-get install python3)");
    }
    found
}

#[test]
fn a_second_program_finds_no_false_sentence() {
    if !has_python() {
        return;
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(74);
    let records: Vec<String> = (0..24)
        .map(|round| {
            let (shape, m) = (Shape::ALL[round % 4], [5, 6, 7, 8, 9, 10][round % 6].max(5));
            let (start, moves) = game(shape, m, round % 3 > 0, &mut rng);
            record(&start, &moves, &mut rng)
        })
        .collect();
    let checked = check(&records);
    let printed = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(checked.status.success() && printed.contains(" sentences, 0 false"), "{checked:?}");
    let counts: HashMap<&str, u32> = printed
        .lines()
        .filter_map(|line| line.trim().split_once("  "))
        .filter_map(|(n, kind)| Some((kind, n.parse().ok()?)))
        .collect();
    let kinds = ["moves", "region", "blocked", "shut in", "reach", "territory", "steps", "three steps", "ways"];
    assert!(kinds.iter().all(|kind| counts.get(kind).is_some_and(|&count| count >= 3)), "{printed}");
    assert!(!counts.contains_key("moves: open"), "{printed}");
}

#[test]
fn a_second_program_finds_a_false_sentence() {
    if !has_python() {
        return;
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(75);
    let mut forged = 0;
    let (start, moves) = game(Shape::Donut, 7, true, &mut rng);
    let record = record(&start, &moves, &mut rng);
    let lines: Vec<Value> = record.lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    // Every number one larger; the better move and the queen's square stay.
    let forge = |text: &str| {
        let forge = |word: &str| {
            let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
            digits.parse::<u32>().map_or(word.to_owned(), |number| format!("{}{}", number + 1, &word[digits.len()..]))
        };
        text.split(' ').map(forge).collect::<Vec<_>>().join(" ").replace("1 square ", "1 squares ")
    };
    for (ply, line) in lines.iter().enumerate().skip(1) {
        let Some(text) = line["analysis"]["facts"][0].as_str() else { continue };
        let false_text = forge(text);
        if false_text == text {
            continue;
        }
        let mut lines = lines.clone();
        lines[ply]["analysis"]["facts"] = json!([false_text]);
        let checked = check(&[lines.iter().map(|line| format!("{line}\n")).collect()]);
        assert_eq!(checked.status.code(), Some(1), "{false_text} {checked:?}");
        forged += 1;
    }
    assert!(forged > 5, "{forged}");
}

#[test]
fn every_size_has_facts_up_to_a_limit() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(76);
    for (m, some) in [(5, true), (20, true), (64, true), (70, false)] {
        let position = any_position(Shape::Square, m, 12, &mut rng);
        let mut draw = || position.random_move(&mut rng).expect("a move");
        let told = (0..6).map(|_| facts(&position, draw(), Some(draw()))).find(|told| !told.is_empty());
        assert_eq!(told.is_some(), some, "{m}: {told:?}");
        assert!(told.is_none_or(|told| told.len() <= 2));
    }
}

#[test]
fn a_side_without_queens_is_no_news() {
    let board = Arc::new(Board::rectangle(3, 3).expect("a board"));
    let position = Position::new(board, [vec![0], vec![]], &[], Color::Black).expect("a position");
    let told = facts(&position, Move { from: 0, to: 1, arrow: 0 }, None);
    assert_eq!(told.iter().map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn a_board_that_is_no_grid_has_the_same_counts() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(77);
    let mut compared = 0;
    for round in 0..60 {
        let position = any_position(Shape::ALL[round % 4], 8, round / 2, &mut rng);
        let mut order: Vec<u32> = (0..64).collect();
        order.shuffle(&mut rng);
        let (Some(played), Some(better)) = (position.random_move(&mut rng), position.random_move(&mut rng)) else {
            continue;
        };
        let mapped = |mv: Move| {
            let [from, to, arrow] = [mv.from, mv.to, mv.arrow].map(|at| order[at as usize]);
            Move { from, to, arrow }
        };
        let told = [
            facts(&position, played, Some(better)),
            facts(&renumbered(&position, &order), mapped(played), Some(mapped(better))),
        ];
        let counts = told.map(|told| match &told[..] {
            [Fact::Comparison { of, mover, kept, left, .. }] => Some((*of, *mover, *kept, *left)),
            _ => None,
        });
        assert_eq!(counts[0], counts[1], "{position}");
        compared += u32::from(counts[0].is_some());
    }
    assert!(compared > 15, "{compared}");
}
