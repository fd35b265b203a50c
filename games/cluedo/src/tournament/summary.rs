//! Summaries of results: shares of wins, strengths, errors, times, calibration.

use std::collections::BTreeMap;

use amazons_statistics::{FieldGame, FieldRatings, Score, SeatEffects, field_ratings};

use crate::tournament::{BlockResult, Format, GameResult, Matchup, Plan};

const BINS: usize = 10;

#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Its seats of games: one that sits at a table twice counts twice.
    pub seats: u64,
    pub wins: u64,
    /// The standard error of the share of wins, from blocks.
    pub bar: f64,
    pub winning_turns: u64,
    pub wrong: u64,
    pub errors: BTreeMap<u32, u64>,
    /// The times of all answers in microseconds, the shortest first.
    pub times: Vec<u64>,
    /// Turns at which the secret followed from what it had seen, and those of them at which it accused rightly.
    pub certain: [u64; 2],
    /// Accusations by their chance, in tenths: how many, the sum of their chances, how many were right.
    pub bins: [(u64, f64, u64); BINS],
}

impl Program {
    /// Returns the share of its seats that won.
    pub fn share(&self) -> f64 {
        self.wins as f64 / self.seats.max(1) as f64
    }

    pub fn median(&self) -> Option<u64> {
        self.times.get(self.times.len() / 2).copied()
    }

    fn take(&mut self, game: &GameResult, seat: usize) {
        self.seats += 1;
        if game.winner == Some(seat) {
            self.wins += 1;
            self.winning_turns += u64::from(game.turns[seat]);
        }
        for (sum, count) in self.certain.iter_mut().zip(game.certain[seat]) {
            *sum += u64::from(count);
        }
        for accusation in game.accusations.iter().filter(|accusation| accusation.seat == seat) {
            self.wrong += u64::from(!accusation.right);
            if let Some(chance) = accusation.chance {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 10")]
                let bin = ((chance * BINS as f64) as usize).min(BINS - 1);
                let (count, sum, right) = &mut self.bins[bin];
                (*count, *sum, *right) = (*count + 1, *sum + chance, *right + u64::from(accusation.right));
            }
        }
        for fault in game.faults.iter().filter(|fault| fault.seat == seat) {
            *self.errors.entry(fault.code).or_default() += 1;
        }
        self.times.extend(game.times.get(seat).into_iter().flatten());
    }
}

#[derive(Clone, Debug)]
pub struct Summary {
    /// Blocks and games played, games that nobody won.
    pub played: [u64; 3],
    pub programs: Vec<Program>,
    pub seat_wins: Vec<u64>,
    pub field: Option<FieldRatings>,
}

/// Counts the pairs of games of a match by the points of a program: 0, 1/2, .. 2.
pub fn pairs(blocks: &[BlockResult], program: usize) -> Score {
    let mut counts = [0; 5];
    for block in blocks {
        counts[block.half_points(program).min(4)] += 1;
    }
    Score::pairs(counts)
}

impl Summary {
    pub fn new(plan: &Plan, matches: &[(Matchup, Vec<BlockResult>)]) -> Self {
        let blocks = || matches.iter().flat_map(|(_, blocks)| blocks);
        let games = || blocks().flat_map(|block| &block.games);
        let mut programs = vec![Program::default(); plan.bots.len()];
        let mut seat_wins = vec![0; plan.n];
        for game in games() {
            for (seat, &program) in game.seats.iter().enumerate() {
                programs[program].take(game, seat);
            }
            if let Some(seat) = game.winner {
                seat_wins[seat] += 1;
            }
        }
        for (number, program) in programs.iter_mut().enumerate() {
            program.times.sort_unstable();
            program.bar = bar(program.share(), number, &blocks().collect::<Vec<_>>());
        }
        let is_open = games().filter(|game| game.winner.is_none()).count() as u64;
        let field = (plan.format == Format::Field).then(|| {
            let won = |game: &GameResult| Some(FieldGame { players: game.seats.clone(), winner: game.winner? });
            let effects = if plan.seat_effects { SeatEffects::Fitted } else { SeatEffects::None };
            field_ratings(plan.bots.len(), plan.n, &games().filter_map(won).collect::<Vec<_>>(), effects)
        });
        let played = [blocks().count() as u64, games().count() as u64, is_open];
        Self { played, programs, seat_wins, field }
    }
}

/// Returns the standard error of a program's share of wins: blocks are independent, games of a block are not.
fn bar(share: f64, program: usize, blocks: &[&BlockResult]) -> f64 {
    let (mut squares, mut seats, mut count) = (0.0, 0.0, 0.0);
    for block in blocks {
        let (mut wins, mut here) = (0.0, 0.0);
        for game in &block.games {
            here += game.seats.iter().filter(|&&other| other == program).count() as f64;
            wins += f64::from(u8::from(game.winner.is_some_and(|seat| game.seats[seat] == program)));
        }
        if here > 0.0 {
            squares += (wins - share * here) * (wins - share * here);
            seats += here;
            count += 1.0;
        }
    }
    if count < 2.0 { 0.0 } else { (squares * count / (count - 1.0)).sqrt() / seats }
}
