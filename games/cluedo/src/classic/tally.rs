use std::ops::{AddAssign, Range};

use serde::{Deserialize, Serialize};

use crate::classic::ai::Ai;
use crate::classic::direct::{Outcome, play};
use crate::classic::random::Streams;
use crate::classic::reasoning::SeatedAi;
use crate::classic::seats::{AiType, LineUp, SEATS_MAX};
use crate::deal::Deal;
use crate::game::{Asking, Seats};

/// No game has more rounds: each turn of an AI but two excludes one of at most 18 cards. Exact AIs may ask without excluding
/// a card; in the unlikely case that a game of theirs is longer, it counts as this long.
const ROUNDS_MAX: usize = 19;

/// One kind of game, of which many are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    pub ais: LineUp,
    pub seats: Seats,
    pub asking: Asking,
}

/// Some games of a cell, as a job for any rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    pub cell: Cell,
    pub seed: u64,
    pub games: Range<u64>,
}

/// The counts of many games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub games: u64,
    /// How many ended in each round, from round 0 on.
    pub rounds: [u64; ROUNDS_MAX + 1],
    /// How many each player has won, from the first on.
    pub wins: [u64; SEATS_MAX],
    pub suggestions: u64,
    pub answers: u64,
    /// The wrong accusations.
    pub wrong: u64,
}

impl Cell {
    /// AIs play alone.
    pub const fn new(ais: LineUp, asking: Asking) -> Self {
        Self { ais, seats: Seats::ais_alone(ais.count()), asking }
    }

    /// A person plays like an AI of kind default.
    fn ai_type(&self, rank: usize) -> AiType {
        rank.checked_sub(1).map_or(AiType::Default, |index| self.ais.types()[index])
    }

    /// Plays the games with these numbers. Each depends on the seed and its number only.
    pub fn play(&self, seed: u64, games: Range<u64>) -> Tally {
        let (seats, reasons) = (self.seats, self.ais.reasons());
        let mut tally = Tally::default();
        for game in games {
            let streams = Streams { seed, game };
            let outcome = match seats.count {
                _ if reasons => self.reasoning_game(streams),
                2 => self.game::<2>(streams),
                3 => self.game::<3>(streams),
                4 => self.game::<4>(streams),
                5 => self.game::<5>(streams),
                _ => self.game::<SEATS_MAX>(streams),
            };
            tally.add(seats, &outcome);
        }
        tally
    }

    fn game<const PLAYERS: usize>(&self, streams: Streams) -> Outcome {
        let seats = self.seats;
        let deal = Deal::classic(seats, &mut streams.deal());
        let ai = |seat: usize| {
            let rank = seats.first + seat;
            Ai::new(self.ai_type(rank), rank, deal.hand(rank), streams.player(rank))
        };
        play(&deal, self.asking, &mut std::array::from_fn::<Ai, PLAYERS, _>(ai), |_| {})
    }

    /// Plays one game in which some AIs reason.
    fn reasoning_game(&self, streams: Streams) -> Outcome {
        let seats = self.seats;
        let deal = Deal::classic(seats, &mut streams.deal());
        let ai = |rank| SeatedAi::new(seats, rank, self.ai_type(rank), deal.hand(rank), streams.player(rank));
        play(&deal, self.asking, &mut seats.ranks().map(ai).collect::<Vec<_>>(), |_| {})
    }
}

impl Tally {
    fn add(&mut self, seats: Seats, outcome: &Outcome) {
        self.games += 1;
        self.rounds[(outcome.rounds as usize).min(ROUNDS_MAX)] += 1;
        if let Some(winner) = outcome.winner {
            self.wins[winner - seats.first] += 1;
        }
        self.suggestions += u64::from(outcome.suggestions);
        self.answers += u64::from(outcome.answers);
        self.wrong += u64::from(outcome.wrong);
    }

    /// Returns the mean number of rounds and its standard deviation.
    pub fn mean_and_deviation(&self) -> (f64, f64) {
        let games = self.games.max(1) as f64;
        let sum = |power: i32| -> f64 {
            self.rounds.iter().enumerate().map(|(round, &games)| games as f64 * (round as f64).powi(power)).sum()
        };
        let mean = sum(1) / games;
        let squares = games * (sum(2) / games - mean * mean);
        (mean, (squares.max(0.0) / (games - 1.0).max(1.0)).sqrt())
    }

    /// Returns the median number of rounds.
    pub fn median(&self) -> f64 {
        let at = |index: u64| {
            let mut before = 0;
            let round = self.rounds.iter().position(|&games| {
                before += games;
                before > index
            });
            round.unwrap_or(0) as f64
        };
        let last = self.games.saturating_sub(1);
        f64::midpoint(at(last / 2), at(last.div_ceil(2)))
    }

    /// Returns the largest number of rounds.
    pub fn longest(&self) -> usize {
        self.rounds.iter().rposition(|&games| games > 0).unwrap_or(0)
    }
}

impl AddAssign<&Self> for Tally {
    fn add_assign(&mut self, other: &Self) {
        self.games += other.games;
        self.suggestions += other.suggestions;
        self.answers += other.answers;
        self.wrong += other.wrong;
        let counts = self.rounds.iter_mut().chain(&mut self.wins);
        for (count, other) in counts.zip(other.rounds.iter().chain(&other.wins)) {
            *count += other;
        }
    }
}
