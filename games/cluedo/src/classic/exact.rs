use std::collections::BTreeMap;

use crate::deck::KINDS;

/// The law of a game of two AIs of kind default, without any simulation.
///
/// The cards that an AI has not excluded form a Markov chain of three counts; given the hands, the two AIs' chains are
/// independent. The one that moves first wins ties.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactLaw {
    /// The chance that the game ends in each round, from round 0 on.
    pub rounds: Vec<f64>,
    pub first_wins: f64,
    /// The mean number of turns of both.
    pub turns: f64,
}

/// How many suspects, weapons and rooms an AI has not excluded.
type Counts = [usize; 3];

/// The cards of each type outside the solution.
const DEALT: Counts = [5, 5, 8];
const HAND: usize = 9;

/// An AI excludes one card in each turn, and begins with 12 unknown ones.
const LAST: usize = 10;

impl ExactLaw {
    pub fn compute() -> Self {
        let mut law = Self { rounds: vec![0.0; LAST + 1], first_wins: 0.0, turns: 0.0 };
        let all = binomial(18, HAND);
        for suspects in 0..=DEALT[0] {
            for weapons in 0..=DEALT[1] {
                let Some(rooms) = HAND.checked_sub(suspects + weapons).filter(|&rooms| rooms <= DEALT[2]) else {
                    continue;
                };
                let hand = [suspects, weapons, rooms];
                let chance = KINDS.map(|kind| binomial(DEALT[kind], hand[kind])).iter().product::<f64>() / all;
                // The other has what is left, and the solution is unknown to both.
                let first = last_turn(KINDS.map(|kind| DEALT[kind] - hand[kind] + 1));
                let second = last_turn(KINDS.map(|kind| hand[kind] + 1));
                law.add(chance, &first, &second);
            }
        }
        law
    }

    fn add(&mut self, chance: f64, first: &[f64], second: &[f64]) {
        for round in 1..=LAST {
            let second_later: f64 = second[round..].iter().sum();
            let first_later: f64 = first[round + 1..].iter().sum();
            let first_wins = chance * first[round] * second_later;
            let second_wins = chance * second[round] * first_later;
            self.rounds[round] += first_wins + second_wins;
            self.first_wins += first_wins;
            self.turns += first_wins * (2 * round - 1) as f64 + second_wins * (2 * round) as f64;
        }
    }

    /// Returns the mean and the standard deviation of the round in which the game ends.
    pub fn mean_and_deviation(&self) -> (f64, f64) {
        let moment = |power: i32| -> f64 {
            self.rounds.iter().enumerate().map(|(round, chance)| chance * (round as f64).powi(power)).sum()
        };
        let mean = moment(1);
        (mean, (moment(2) - mean * mean).sqrt())
    }

    /// Returns Pearson's chi-square of games that ended in these rounds, and its degrees of freedom. Rounds in which no
    /// game can end must have none.
    pub fn chi_square(&self, rounds: &[u64]) -> (f64, usize) {
        let games: u64 = rounds.iter().sum();
        let expected = self.rounds.iter().map(|chance| chance * games as f64);
        let classes = expected.zip(rounds).filter(|(expected, _)| *expected > 0.0);
        let terms: Vec<f64> = classes.map(|(expected, &found)| (found as f64 - expected).powi(2) / expected).collect();
        (terms.iter().sum(), terms.len().saturating_sub(1))
    }
}

/// Returns the chance of each turn in which an AI would accuse if it played alone.
fn last_turn(unknown: Counts) -> Vec<f64> {
    let mut law = vec![0.0; LAST + 2];
    let mut now = BTreeMap::from([(unknown, 1.0)]);
    for turn in 1..=LAST {
        let mut after: BTreeMap<Counts, f64> = BTreeMap::new();
        for (counts, chance) in now {
            if counts == [1, 1, 1] {
                law[turn] += chance;
                continue;
            }
            // Each suggested card may be in the solution: eight cases, by the types that are not.
            for case in 0..8_u32 {
                let is_wrong = |kind: &usize| case >> kind & 1 == 1;
                let right = KINDS.map(|kind| 1.0 / counts[kind] as f64);
                let chances = KINDS.map(|kind| if is_wrong(&kind) { 1.0 - right[kind] } else { right[kind] });
                let chance = chance * chances.iter().product::<f64>();
                if case == 0 {
                    law[turn + 1] += chance;
                }
                for kind in KINDS.into_iter().filter(is_wrong).filter(|_| chance > 0.0) {
                    let mut next = counts;
                    next[kind] -= 1;
                    *after.entry(next).or_default() += chance / f64::from(u32::count_ones(case));
                }
            }
        }
        now = after;
    }
    law
}

fn binomial(from: usize, taken: usize) -> f64 {
    (0..taken).map(|index| (from - index) as f64 / (index + 1) as f64).product()
}
