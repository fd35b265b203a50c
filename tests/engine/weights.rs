//! Weights as text, and inputs as a learner sees them.

use std::sync::Arc;

use amazons_engine::{AnyGame, EvalTable, Game, Isa, TextError, Weights};
use amazons_rules::{Board, Shape};

use super::boards::game;

#[test]
fn weights_survive_their_text() {
    let standard = Weights::standard();
    assert_eq!(standard.to_string().parse::<Weights>().as_ref(), Ok(standard));
    let names = Weights::names();
    assert_eq!(names.len(), Weights::COUNT);
    for (index, name) in names.iter().enumerate() {
        assert!(!name.is_empty() && !names[..index].contains(name), "input {index} is '{name}'");
    }
}

#[test]
fn wrong_texts_are_refused() {
    let text = Weights::standard().to_string();
    let with = |line: &str| format!("{line}\n{text}").parse::<Weights>().expect_err("a wrong line");
    let numbers = || TextError::Numbers { line: 1, expected: "4 numbers between -7.9 and 7.9".to_owned() };
    assert_eq!(with("knight 1 2  0 0 0 0"), TextError::Name(1));
    assert_eq!(with("tempo 0 0 0 x"), numbers());
    assert_eq!(with("tempo 0 0 0 8.0"), numbers());
    assert_eq!(with("tempo 0 0 0 NaN"), numbers());
    assert_eq!(with("tempo 0 0 0"), TextError::Name(1));
    let names = Weights::names();
    let line = text.lines().position(|line| line.starts_with("tempo ")).expect("it is there") + 2;
    assert_eq!(with("tempo 0 0 0 0"), TextError::Twice(line));
    let first_missing: String = text.lines().skip(1).flat_map(|line| [line, "\n"]).collect();
    assert_eq!(first_missing.parse::<Weights>(), Err(TextError::Missing(names[0].clone())));
}

/// The score is the sum of inputs times weights, interpolated by phase, up to the rounding of the weights.
#[test]
fn inputs_times_weights_are_the_score() {
    let weights = Weights::standard();
    let table = Arc::new(EvalTable::new(weights));
    let board = Arc::new(Board::new(Shape::Square, 10).expect("legal size"));
    let AnyGame::Small(small) = AnyGame::new(Arc::clone(&board), table, Isa::best()) else { panic!("10 is small") };
    for position in game(&board, 9) {
        let mut state = small.state(&position);
        let mut steps = Vec::new();
        small.moves(&state, &mut steps);
        for half in 0..2 {
            let features = small.features(&state);
            let phase = (features.phase() * 64.0).floor() / 64.0 * (Weights::PHASES - 1) as f32;
            let lower = (phase as usize).min(Weights::PHASES - 2);
            let share = phase - lower as f32;
            let inputs = features.inputs();
            let terms = inputs
                .iter()
                .zip(&weights.values)
                .map(|(&input, phases)| input as f32 * (phases[lower] * (1.0 - share) + phases[lower + 1] * share));
            let log_odds: f32 = terms.sum();
            let evaluation = small.evaluate(&state);
            let members: i32 = inputs.iter().map(|input| input.abs()).sum();
            let error = (log_odds - evaluation.score as f32 / EvalTable::UNIT).abs();
            assert!(error <= (members as f32 + 1.0) * 0.6 / EvalTable::UNIT, "{error} in half {half} of {position}");
            assert!((evaluation.value() - 1.0 / (1.0 + (-log_odds).exp())).abs() < 0.01);
            let Some(&step) = steps.first() else { break };
            small.play(&mut state, step);
        }
    }
}
