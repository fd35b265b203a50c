//! The notation of squares and moves.

use amazons_rules::{Board, Move};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseResult;

use super::boards::board_spec;
use super::check;
use super::mutation::{mutated, mutations};

const CASES: u32 = 2000;
const ALPHABET: &[u8] = b"abjxzABX0123456789-/, #";
const SEPARATORS: [&str; 12] = ["-", "/", ",", "x", "X", " ", "  ", " - ", "\t/ ", " x ", "x ", "\u{a0},"];

fn judge(board: &Board, text: &str) -> TestCaseResult {
    match board.parse_move(text) {
        Ok(mv) => {
            prop_assert!([mv.from, mv.to, mv.arrow].iter().all(|&vertex| board.is_vertex(vertex)), "{:?}", mv);
            prop_assert_eq!(board.parse_move(&board.move_text(mv)), Ok(mv));
        }
        Err(error) => prop_assert!(!error.to_string().contains(char::is_control), "{:?}", error.to_string()),
    }
    if let Ok(vertex) = board.parse_square(text) {
        let digits = text.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        let file = text[..text.len() - digits.len()].to_ascii_lowercase();
        prop_assert_eq!(board.square(vertex), format!("{}{}", file, digits.trim_start_matches('0')));
    }
    Ok(())
}

#[test]
fn noise_is_refused_or_a_move() {
    let text = prop_oneof![
        any::<String>(),
        "[a-cA-CxX0-9 ,/-]{0,16}",
        r"\s?[a-jx]{1,2}[0-9]{1,3}[ x,/-]{1,2}[a-jx]{1,2}[0-9]{1,3}[ x,/-]{1,2}[a-jx]{1,2}[0-9]{1,3}\s?",
        "[a-zA-Z]{1,12}[0-9]{1,12}",
        r"\s?[a-cA]0?[1-3][ x,/-]\s?[a-c]0?[1-3]\s?[X ,/-][a-c]0?[1-3]\s?",
        "[a-cA-C]0{0,2}[1-3]",
    ];
    check("move noise", CASES, &(board_spec(), text), |(board, text)| judge(&board.build(), &text));
}

#[test]
fn moves_survive_damage() {
    let places = [any::<Index>(), any::<Index>(), any::<Index>()];
    let between = [select(&SEPARATORS[..]), select(&SEPARATORS[..])];
    let strategy = (board_spec(), places, between, any::<bool>(), mutations(ALPHABET));
    check("damaged moves", CASES, &strategy, |(board, places, between, upper, damage)| {
        let board = board.build();
        let vertices: Vec<u32> = board.vertices().collect();
        // A board of one square has a vertex, but no edge, and so none that it knows.
        if vertices.is_empty() {
            return Ok(());
        }
        let [from, to, arrow] = places.map(|place| vertices[place.index(vertices.len())]);
        let mv = Move { from, to, arrow };
        let mut text =
            [board.square(from), between[0].into(), board.square(to), between[1].into(), board.square(arrow)].concat();
        if upper {
            text.make_ascii_uppercase();
        }
        prop_assert_eq!(board.parse_move(&text), Ok(mv), "{}", text);
        judge(&board, &String::from_utf8_lossy(&mutated(text.as_bytes(), &damage)))
    });
}

#[test]
fn any_numbers_have_a_text() {
    let vertex = || prop_oneof![any::<u32>(), 0..150_u32];
    check("move texts", CASES, &(board_spec(), vertex(), vertex(), vertex()), |(board, from, to, arrow)| {
        let board = board.build();
        let mv = Move { from, to, arrow };
        let known = [from, to, arrow].iter().all(|&vertex| board.is_vertex(vertex));
        prop_assert_eq!(board.parse_move(&board.move_text(mv)).ok(), known.then_some(mv));
        Ok(())
    });
}
