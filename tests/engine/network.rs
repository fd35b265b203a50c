//! The network as text, and on counts.

use std::sync::Arc;

use amazons_engine::{AnyGame, EvalTable, Game, Isa, Network, TextError};
use amazons_rules::{Board, Shape};

use super::boards::game;

#[test]
fn networks_survive_their_text() {
    let standard = Network::standard();
    assert_eq!(standard.to_string().parse::<Network>().as_ref(), Ok(standard));
    assert_eq!(Network::ZERO.to_string().parse::<Network>(), Ok(Network::ZERO));
    let names = Network::input_names();
    for (index, name) in names.iter().enumerate() {
        assert!(!name.is_empty() && !names[..index].contains(name), "input {index} is '{name}'");
    }
}

#[test]
fn wrong_texts_are_refused() {
    let text = Network::ZERO.to_string();
    let with = |line: &str| format!("{line}\n{text}").parse::<Network>().expect_err("a wrong line");
    let zeros = ["0"; Network::HIDDEN - 1].join(" ");
    let numbers =
        |range| TextError::Numbers { line: 1, expected: format!("{} whole numbers from {range}", Network::HIDDEN) };
    assert_eq!(with(&format!("knight 1 2 mine 0 {zeros}")), TextError::Name(1));
    assert_eq!(with(&format!("bias step {zeros}")), TextError::Name(1));
    assert_eq!(with(&format!("queen 1 2 mine 128 {zeros}")), numbers("-127 to 127"));
    assert_eq!(with(&format!("output 0 mine 1.5 {zeros}")), numbers("-32767 to 32767"));
    assert!(matches!(with(&format!("bias step 1048577 {zeros}")), TextError::Numbers { line: 1, .. }));
    let line = text.lines().position(|line| line.starts_with("bias step ")).expect("it is there") + 2;
    assert_eq!(with(&format!("bias step 0 {zeros} # again")), TextError::Twice(line));
    let first_missing: String = text.lines().skip(1).flat_map(|line| [line, "\n"]).collect();
    assert_eq!(first_missing.parse::<Network>(), Err(TextError::Missing("queen 1 2 mine".to_owned())));
}

/// One neuron that counts what one side is nearer to: its two views give the difference.
#[test]
fn a_network_can_count_territory() {
    let mut network = Network::ZERO;
    for (name, [own, other]) in Network::input_names().iter().zip(&mut network.inputs) {
        let classes: Vec<&str> = name.split(' ').skip(1).collect();
        if name.starts_with("queen") && classes[0] != classes[1] {
            (own[5], other[5]) = (1, -1);
        }
    }
    for [mine, theirs] in &mut network.outputs {
        (mine[5], theirs[5]) = (256, -256);
    }
    let table = Arc::new(EvalTable::of_network(&network));
    let board = Arc::new(Board::new(Shape::Donut, 9).expect("legal size"));
    let AnyGame::Small(small) = AnyGame::new(Arc::clone(&board), table, Isa::best()) else { panic!("9 is small") };
    for position in game(&board, 4) {
        let state = small.state(&position);
        let features = small.features(&state);
        let nearer = |mover: bool| -> i64 {
            let pairs = (0..6).flat_map(|near| (near + 1..6).map(move |far| (near, far)));
            pairs
                .map(|(near, far)| i64::from(if mover { features.queen(near, far) } else { features.queen(far, near) }))
                .sum()
        };
        assert_eq!(i64::from(small.evaluate(&state).score), nearer(true) - nearer(false), "{position}");
    }
}

/// The built-in network is useful: it predicts most winners of random games a few plies before their end.
#[test]
fn the_standard_network_sees_who_wins() {
    let table = Arc::new(EvalTable::standard());
    let (mut right, mut all) = (0, 0);
    for seed in 0..40 {
        let board = Arc::new(Board::new(Shape::ALL[seed as usize % 4], 8).expect("legal size"));
        let positions = game(&board, seed);
        let winner = positions.last().expect("a game has positions").side_to_move().opposite();
        let AnyGame::Small(small) = AnyGame::new(Arc::clone(&board), Arc::clone(&table), Isa::best()) else {
            panic!("8 is small")
        };
        for position in positions.iter().rev().skip(1).take(6) {
            let evaluation = small.evaluate(&small.state(position));
            right += usize::from((evaluation.score > 0) == (position.side_to_move() == winner));
            all += 1;
        }
    }
    assert!(right * 10 >= all * 8, "{right} of {all}");
}
