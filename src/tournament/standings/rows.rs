use std::collections::BTreeMap;

use amazons_program::counted;
use amazons_statistics::{Elo, Ratings, Score, SprtVerdict};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::player_row::PlayerRow;
use super::{Field, RatedPair, rating_of};
use crate::referee::Termination;
use crate::tournament::plan::Entrant;
use crate::tournament::results::Test;

/// Two players who met.
#[derive(Clone, Debug, Serialize)]
pub struct MeetingRow {
    /// Their names, the better placed first.
    pub players: [String; 2],
    /// Their places, from 0.
    #[serde(skip)]
    pub places: [usize; 2],
    /// The last stage in which they met, from 1.
    pub stage: u32,
    /// Pairs in which the first scored 0, 1/2, 1, 3/2, 2 points.
    pub pairs: [u64; 5],
    /// How many games.
    pub games: u64,
    /// Points of the first.
    pub points: f64,
    /// Points of the second.
    pub points_against: f64,
    /// By how much the first is stronger, from the pairs of the two alone; 800 says more than that.
    pub elo: f64,
    /// The half-width of the 95 % interval; null when it is not known.
    pub error: Option<f64>,
    /// The same in deviations of a game's score; 800 says more than that.
    pub nelo: f64,
    /// The chance that the first is stronger, 0 to 1.
    pub los: f64,
    /// How many of the games are different from all others.
    pub different: u64,
}

/// Which hypothesis of a test is accepted, if one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictRow {
    Continue,
    Elo0,
    Elo1,
}

/// How a test stands.
#[derive(Clone, Debug, Serialize)]
pub struct SprtRow {
    /// `elo0` and `elo1`.
    pub hypotheses: [f64; 2],
    pub verdict: VerdictRow,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// `elo0` is accepted at or under this ratio.
    pub lower: f64,
    /// `elo1` is accepted at or over this ratio.
    pub upper: f64,
    /// Pairs in which the first player scored 0, 1/2, 1, 3/2, 2 points.
    pub pairs: [u64; 5],
    /// The ratio after each pair, at most a thousand of them, evenly chosen, the last always.
    pub history: Vec<(u64, f64)>,
}

/// The advantage of moving first on a board.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct BoardRow {
    pub board: String,
    /// How many games.
    pub games: u64,
    /// Games won by the player that moved first after the opening.
    pub first_won: u64,
    /// Draws.
    pub nobody_won: u64,
    /// The share of points of the player that moved first, 0 to 1.
    pub first_score: f64,
    /// Its 95 % interval (Wilson).
    pub interval: [f64; 2],
    /// The mean number of moves after the opening.
    pub moves: f64,
}

/// Rounds for tables, so that they read well and do not depend on the last bit.
pub(in crate::tournament) fn rounded(number: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    // Adding 0 turns -0 into 0.
    (number * unit).round() / unit + 0.0
}

pub(super) fn players(field: &Field<'_>, ratings: &Ratings) -> Vec<PlayerRow> {
    let row = |(player, entrant): (usize, &Entrant)| {
        let (elo, error) = rating_of(ratings, player);
        PlayerRow {
            name: entrant.name.clone(),
            file: Some(entrant.file.display().to_string()),
            sha256: entrant.sha256.clone(),
            elo,
            error,
            points: f64::from(2 * field.byes[player]),
            byes: field.byes[player],
            ..PlayerRow::default()
        }
    };
    let mut rows: Vec<PlayerRow> = field.players.iter().enumerate().map(row).collect();
    for pair in field.pairs {
        for (seat, player) in pair.players.into_iter().enumerate() {
            pair.games.iter().for_each(|game| rows[player].add(game, seat));
        }
    }
    rows
}

pub(in crate::tournament) fn boards(pairs: &[RatedPair<'_>]) -> Vec<BoardRow> {
    let mut tallies: BTreeMap<&str, [u64; 4]> = BTreeMap::new();
    for pair in pairs {
        for (index, game) in pair.games.iter().enumerate() {
            let [games, first_won, nobody_won, moves] = tallies.entry(pair.board).or_default();
            *games += 1;
            *moves += u64::from(game.moves);
            match game.half_points() {
                1 => *nobody_won += 1,
                half_points => *first_won += u64::from((half_points == 2) == (index == 0)),
            }
        }
    }
    let row = |(board, [games, first_won, nobody_won, moves]): (&str, [u64; 4])| {
        let score = (first_won as f64 + nobody_won as f64 / 2.0) / games as f64;
        BoardRow {
            board: board.to_owned(),
            games,
            first_won,
            nobody_won,
            first_score: rounded(score, 4),
            interval: wilson(score, games as f64).map(|bound| rounded(bound, 4)),
            moves: rounded(moves as f64 / games as f64, 1),
        }
    };
    tallies.into_iter().map(row).collect()
}

/// The 95 % interval of a share (E. B. Wilson, 1927), which never leaves 0 to 1.
fn wilson(share: f64, n: f64) -> [f64; 2] {
    let z2 = amazons_statistics::Z95 * amazons_statistics::Z95;
    let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = (z2 * (share * (1.0 - share) / n + z2 / (4.0 * n * n))).sqrt() / (1.0 + z2 / n);
    [middle - half, middle + half]
}

impl MeetingRow {
    pub(super) fn new(players: [String; 2], places: [usize; 2], stage: u32, pairs: [u64; 5], different: usize) -> Self {
        let estimate = Score::pairs(pairs).estimate();
        let games = 2 * pairs.iter().sum::<u64>();
        let points = pairs.iter().zip(0_u32..).map(|(&count, half)| count as f64 * f64::from(half) / 2.0).sum::<f64>();
        Self {
            players,
            places,
            stage,
            pairs,
            games,
            points,
            points_against: games as f64 - points,
            elo: rounded(estimate.elo.points(), 2),
            error: (!estimate.error.is_beyond()).then(|| rounded(estimate.error.points(), 2)),
            nelo: rounded(estimate.nelo.points(), 2),
            los: rounded(estimate.los, 4),
            different: different as u64,
        }
    }

    pub(super) fn sentence(&self) -> String {
        let [one, two] = &self.players;
        if self.elo == 0.0 {
            return format!("{one} and {two} are even after {}", counted(self.pairs.iter().sum(), "pair"));
        }
        let (better, worse, los) = if self.elo < 0.0 { (two, one, 1.0 - self.los) } else { (one, two, self.los) };
        let pairs = self.pairs.iter().sum::<u64>();
        let likely = format!("likely to {:.1} %", 100.0 * los);
        match self.error {
            None if pairs == 1 => {
                format!("{better} leads {worse} after one pair, {likely}: too few to say by how much")
            }
            None => {
                let is_alike = self.pairs.iter().filter(|&&count| count > 0).count() == 1;
                let alike = if is_alike { " that all went alike" } else { "" };
                format!("{better} leads {worse} after {pairs} pairs{alike}, {likely}: too few to say by how much")
            }
            Some(error) => {
                let measured = match Elo::new(self.elo.abs()) {
                    elo if elo.is_beyond() => format!("by more than 800 Elo, {likely}"),
                    elo => format!("by {:.0} +- {error:.0} Elo, {likely}", elo.points()),
                };
                stronger(better, worse, &measured, self.elo.abs() < error)
            }
        }
    }
}

/// Returns a sentence about which of two is stronger, if that is known.
pub(super) fn stronger(better: &str, worse: &str, measured: &str, is_open: bool) -> String {
    if is_open {
        format!("it is open whether {better} is stronger than {worse}: {measured}")
    } else {
        format!("{better} is stronger than {worse} {measured}")
    }
}

impl SprtRow {
    pub(super) fn new(test: &Test) -> Self {
        let Test { sprt, counts, llr, verdict, .. } = test;
        let [lower, upper] = sprt.bounds();
        let step = llr.len().div_ceil(1000).max(1);
        let is_told = |index: &usize| (index + 1).is_multiple_of(step) || index + 1 == llr.len();
        Self {
            hypotheses: sprt.hypotheses(),
            verdict: match verdict {
                SprtVerdict::Continue => VerdictRow::Continue,
                SprtVerdict::AcceptH0 => VerdictRow::Elo0,
                SprtVerdict::AcceptH1 => VerdictRow::Elo1,
            },
            llr: rounded(llr.last().copied().unwrap_or(0.0), 4),
            lower: rounded(lower, 4),
            upper: rounded(upper, 4),
            pairs: *counts,
            history: (0..llr.len()).filter(is_told).map(|index| (index as u64 + 1, rounded(llr[index], 4))).collect(),
        }
    }

    pub(super) fn sentence(&self) -> String {
        let [elo0, elo1] = self.hypotheses;
        let pairs = self.pairs.iter().sum::<u64>();
        let ratio = format!(
            "log-likelihood ratio {:.2}, bounds {:.2} and {:.2}, {}",
            self.llr,
            self.lower,
            self.upper,
            counted(pairs, "pair")
        );
        match self.verdict {
            VerdictRow::Elo0 => format!("the difference is {elo0} rather than {elo1} Elo: {ratio}"),
            VerdictRow::Elo1 => format!("the difference is {elo1} rather than {elo0} Elo: {ratio}"),
            VerdictRow::Continue => format!("no verdict between {elo0} and {elo1} Elo: {ratio}"),
        }
    }
}

/// The endings that a table has columns for: those that occurred, in their usual order.
pub(in crate::tournament) fn endings(rows: &[PlayerRow]) -> Vec<&'static str> {
    let occurred = |ending: &Termination| rows.iter().any(|row| row.endings.contains_key(ending.name()));
    Termination::ALL.iter().filter(|ending| occurred(ending)).map(|ending| ending.name()).collect()
}
