//! Many games between bots, measured.

use cluedo::bots::Kind;
use cluedo::bots::play::{SeatedBot, seat_bot};
use cluedo::deal::{Deal, stream};

use super::direct::{Outcome, play};

/// Seats players; each has the stream that the seed, the game and its seat name.
pub(super) fn players(kinds: &[Kind], seed: u64) -> Vec<SeatedBot> {
    let seat =
        |(seat, kind): (usize, &Kind)| seat_bot(*kind, seat, kinds.len(), stream(seed, 0, 0, &format!("seat {seat}")));
    kinds.iter().enumerate().map(seat).collect()
}

/// Plays games with the first bot in each seat in turn, and calls `each` with its seat and the outcome.
pub(super) fn games(kinds: &[Kind], count: u64, seed: u64, mut each: impl FnMut(usize, &Outcome)) {
    let rotations = kinds.len();
    let mut tables: Vec<Vec<SeatedBot>> = (0..rotations)
        .map(|first| {
            let mut rotated = kinds.to_vec();
            rotated.rotate_right(first);
            players(&rotated, seed + first as u64)
        })
        .collect();
    for game in 0..count {
        let first = usize::try_from(game).expect("few") % rotations;
        let deal = Deal::course(rotations, &mut stream(seed, 0, game, "deal"));
        let outcome = play(&deal, 0, &mut tables[first]);
        assert_eq!(outcome.fault, None);
        each(first, &outcome);
    }
}

/// Returns the share of games that the first bot wins, and of those in which it accuses wrongly.
pub(super) fn share(kinds: &[Kind], count: u64, seed: u64) -> (f64, f64) {
    let (mut wins, mut wrong) = (0.0, 0.0);
    games(kinds, count, seed, |seat, outcome| {
        wins += f64::from(u8::from(outcome.winner == Some(seat)));
        wrong += f64::from(outcome.wrong >> seat & 1);
    });
    (wins / count as f64, wrong / count as f64)
}
