//! Position text: refused in one line, or read correctly.

use std::sync::Arc;

use amazons_rules::{Board, Color, Position, TextError};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::boards::{board_spec, position_spec};
use super::check;
use super::mutation::{mutated, mutations};

const CASES: u32 = 2000;
const ALPHABET: &[u8] = b"qQ*0123456789// wb--";

fn judge(parse: impl Fn(&str) -> Result<Position, TextError>, text: &str) -> TestCaseResult {
    match parse(text) {
        Ok(position) => {
            let written = position.to_string();
            let again = parse(&written);
            prop_assert_eq!(again.as_ref(), Ok(&position), "read again from {}", written);
        }
        Err(error) => prop_assert!(!error.to_string().contains(char::is_control), "{:?}", error.to_string()),
    }
    Ok(())
}

fn judge_both(board: &Arc<Board>, text: &str) -> TestCaseResult {
    judge(Position::parse, text)?;
    judge(|text| Position::parse_on(Arc::clone(board), text), text)
}

#[test]
fn noise_is_refused_or_a_position() {
    let text = prop_oneof![
        any::<String>(),
        "[qQ*0-9/ wb-]{0,40}",
        r"[qQ*123]{1,4}(/[qQ*123]{1,4}){0,4} [wb]( -){0,2}( [0-9]{1,11}){0,3}",
        r"\PC{0,3}[qQ*1-9]{0,3}/?[qQ*1-9]{0,3}\s{1,3}[wbWB]\s?",
    ];
    check("position noise", CASES, &(board_spec(), text), |(board, text)| judge_both(&board.build(), &text));
}

#[test]
fn positions_survive_damage() {
    check("damaged positions", CASES, &(position_spec(), mutations(ALPHABET)), |(spec, damage)| {
        let position = spec.build();
        let text = position.to_string();
        let again = Position::parse_on(Arc::clone(position.board()), &text).expect("our own text");
        prop_assert_eq!(&again, &position);
        prop_assert_eq!(again.to_string(), &text[..]);
        let flat = Position::parse(&text).expect("our own text");
        prop_assert_eq!(flat.to_string(), &text[..]);
        for color in Color::ALL {
            prop_assert_eq!(flat.queens(color), position.queens(color));
        }
        judge_both(position.board(), &String::from_utf8_lossy(&mutated(text.as_bytes(), &damage)))
    });
}
