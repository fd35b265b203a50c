use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Faults;
use crate::tournament::results::GameResult;

/// The columns of an event's players, as in [`PlayerRow::cells`].
pub(in crate::tournament) const EVENT_COLUMNS: [&str; 7] = ["Elo", "+-", "points", "games", "won", "lost", "at fault"];

/// The columns of a ladder's players, likewise.
pub(in crate::tournament) const LADDER_COLUMNS: [&str; 10] =
    ["version", "Elo", "+-", "Glicko-2", "+-", "points", "games", "won", "lost", "at fault"];

/// A player in the table of an event or of a ladder; games of whole pairs only.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PlayerRow {
    /// The place, from 1; none for versions that do not play.
    pub rank: Option<usize>,
    pub name: String,
    /// On a ladder: which version of it plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// In an event: its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The hash of the file.
    pub sha256: Option<String>,
    /// Its rating by the Bradley-Terry model, relative to the average of the field, or of all versions.
    pub elo: f64,
    /// The half-width of the 95 % interval.
    pub error: f64,
    /// On a ladder: its rating by Glicko-2, game by game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub glicko: Option<f64>,
    /// The half-width of that 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub glicko_error: Option<f64>,
    /// A point for each win, half a point for each draw, two for each bye.
    pub points: f64,
    /// How many games.
    pub games: u64,
    /// How many of them it won.
    pub won: u64,
    /// How many of them it lost.
    pub lost: u64,
    /// Pairs without an opponent, which count as won.
    #[serde(default)]
    pub byes: u32,
    /// In how many games it was at fault, in `finalize` too.
    pub at_fault: u64,
    /// The kinds of its faults.
    #[serde(default)]
    pub faults: Faults,
    /// How its games ended; of a ladder, that is not counted.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", skip_deserializing)]
    pub endings: BTreeMap<&'static str, EndingRow>,
    /// On a ladder: when it came, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joined: Option<u64>,
}

/// How often games of a player ended in some way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EndingRow {
    /// How often it won.
    pub won: u64,
    /// How often it lost.
    pub lost: u64,
    /// How often nobody won.
    pub nobody: u64,
}

impl PlayerRow {
    /// Counts a game in which it was player 1 (seat 0) or 2 (seat 1).
    pub(in crate::tournament) fn add(&mut self, game: &GameResult, seat: usize) {
        let half_points = if seat == 0 { game.half_points() } else { 2 - game.half_points() };
        self.games += 1;
        self.points += f64::from(half_points) / 2.0;
        self.at_fault += u64::from(game.at_fault[seat]);
        if let Some(kind) = game.fault(seat) {
            *self.faults.entry(kind.into()).or_default() += 1;
        }
        let ending = self.endings.entry(game.termination.name()).or_default();
        let [all, by_ending] = match half_points {
            0 => [&mut self.lost, &mut ending.lost],
            1 => return ending.nobody += 1,
            _ => [&mut self.won, &mut ending.won],
        };
        *all += 1;
        *by_ending += 1;
    }

    /// Returns how many points it could have by now.
    pub(crate) fn points_max(&self) -> u64 {
        self.games + 2 * u64::from(self.byes)
    }

    /// Returns the columns of tables from the version on.
    pub(in crate::tournament) fn cells(&self) -> Vec<String> {
        let ratings = [Some(self.error), self.glicko, self.glicko_error].into_iter().flatten();
        let mut cells: Vec<String> = self.version.iter().map(u32::to_string).collect();
        cells.push(format!("{:+.0}", self.elo));
        cells.extend(ratings.map(|number| format!("{number:.0}")));
        cells.push(format!("{:.1}", self.points));
        cells.extend([self.games, self.won, self.lost, self.at_fault].map(|count| count.to_string()));
        cells
    }
}

impl EndingRow {
    /// Returns the games won and lost as `3-2`, and those that nobody won.
    pub(in crate::tournament) fn text(self) -> String {
        let Self { won, lost, nobody } = self;
        if nobody > 0 { format!("{won}-{lost} ({nobody} nobody)") } else { format!("{won}-{lost}") }
    }
}
