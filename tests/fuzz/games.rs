//! SGF and PGN: refused in one line with a place in the text, or a game that survives writing and reading.

use amazons_formats::{Format, PGN, POSITION_TEXT, SGF};
use amazons_rules::Shape;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseResult;

use super::allocation::largest;
use super::check;
use super::mutation::{mutated, mutations};
use crate::formats;

const CASES: u32 = 1500;
const SGF_ALPHABET: &[u8] = b"abcdjgAZ[]();:\\BWAESZPLXNCR+ \n0123456789";
const PGN_ALPHABET: &[u8] = b"abcdj0123456789-/x.[]{}();\"\\$%* \nqQw";

/// The largest allocation allowed for reading: the largest board, plus a multiple of the input.
const FACTOR: usize = 64;
const BOARD_BYTES: usize = 1 << 27;

fn judge(format: Format, bytes: &[u8]) -> TestCaseResult {
    let lines = bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() + 1;
    let (read, most) = largest(|| formats::read(format, bytes));
    prop_assert!(most <= BOARD_BYTES + FACTOR * bytes.len(), "{} bytes for {}", most, bytes.len());
    match read {
        Ok(game) => {
            let text = formats::written(format, &game);
            let again = formats::read(format, &text);
            prop_assert!(again.is_ok(), "{:?}: {}", again, text);
            prop_assert_eq!(again.expect("a game").position().to_string(), game.position().to_string());
        }
        Err(error) => {
            prop_assert!((1..=lines).contains(&error.line) && error.column >= 1, "{}", error);
            prop_assert!(error.column <= bytes.len() + 1, "{}", error);
            prop_assert!(!error.to_string().contains('\n'), "{:?}", error.to_string());
        }
    }
    Ok(())
}

/// Games with everything in them, as text.
fn originals(format: Format) -> Vec<Vec<u8>> {
    let games = (0..).zip(Shape::ALL).map(|(seed, shape)| {
        formats::written(format, &formats::annotated_game(formats::start(shape, 5 + seed as u32), 20, seed))
    });
    games.map(String::into_bytes).collect()
}

#[test]
fn noise_is_no_sgf() {
    let pieces =
        ["(", ")", ";", "GM[18]", "W[djddgd]", "AB[aa:cc]", "SZ[5]", "[", "]", "\\", "C[", "\n", "XS[donut]", "PL[W]"];
    let tokens = vec(select(pieces.to_vec()), 0..40).prop_map(|tokens| tokens.concat());
    let noise = prop_oneof![tokens, any::<String>(), "\\(;[A-Z]{1,3}\\[[a-zA-Z]{0,6}\\].{0,9}\\)"];
    check("SGF noise", CASES, &noise, |text| judge(SGF, text.as_bytes()));
    check("SGF bytes", CASES, &vec(any::<u8>(), 0..300), |bytes| judge(SGF, &bytes));
}

#[test]
fn noise_is_no_pgn() {
    let pieces = [
        "[Board \"c5\"]",
        "[FEN \"",
        "\"]",
        "1.",
        "d1-d7/g7",
        "a4 ",
        "{",
        "}",
        "(",
        ")",
        "$1",
        ";",
        "\n",
        "1-0",
        "%",
        "...",
    ];
    let tokens = vec(select(pieces.to_vec()), 0..40).prop_map(|tokens| tokens.concat());
    check("PGN noise", CASES, &prop_oneof![tokens, any::<String>()], |text| judge(PGN, text.as_bytes()));
    check("PGN bytes", CASES, &vec(any::<u8>(), 0..300), |bytes| judge(PGN, &bytes));
    check("FEN bytes", CASES, &vec(any::<u8>(), 0..300), |bytes| judge(POSITION_TEXT, &bytes));
}

#[test]
fn sgf_survives_damage() {
    let originals = originals(SGF);
    check("damaged SGF", CASES, &(any::<Index>(), mutations(SGF_ALPHABET)), |(which, damage)| {
        let original: &Vec<u8> = which.get(&originals);
        judge(SGF, &mutated(original, &damage))
    });
}

#[test]
fn pgn_survives_damage() {
    let originals = originals(PGN);
    check("damaged PGN", CASES, &(any::<Index>(), mutations(PGN_ALPHABET)), |(which, damage)| {
        let original: &Vec<u8> = which.get(&originals);
        judge(PGN, &mutated(original, &damage))
    });
}
