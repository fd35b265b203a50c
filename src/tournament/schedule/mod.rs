//! The schedule: a pure function of the plan and the results so far.
//!
//! A [`Schedule`] is a list of [`Pair`]s, numbered from 1, that grows by stages. [`next_stage`] returns the meetings of
//! a stage; it sees nothing but the format, the number of players and the meetings before. Boards and openings follow
//! from how often two players have met, so that all pairings have the same ones.

mod knockout;
mod round_robin;
mod swiss;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::tournament::plan::Format;

/// The number of a player, from 0, in the order of the plan.
pub type PlayerId = usize;

/// Two games with the same opening, in which each player moves first once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// Counts the pairs of the event from 1; it never changes.
    pub number: u32,
    /// Counts the stages from 1.
    pub stage: u32,
    /// The players; the first one moves first in the first game.
    pub players: [PlayerId; 2],
    /// Which of the plan's boards, from 0.
    pub board: usize,
    /// Which opening of that board, from 0.
    pub opening: u32,
}

/// A meeting of two players: a pair of games, or a bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// Two players play a pair.
    Pair([PlayerId; 2]),
    /// A player sits this round out, and gets the points of a pair.
    Bye(PlayerId),
}

/// A meeting that is over, and the half points of its first player: 0 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    pub meeting: Meeting,
    /// Counts the stages from 1.
    pub stage: u32,
    /// The half points of the first player: two for a win, one for a draw.
    pub half_points: u8,
}

/// The half points of a pair.
pub const HALF_POINTS: u8 = 4;

/// Returns the meetings of the next stage; none when the event is over. Absent players are left out of a Swiss round.
pub fn next_stage(format: &Format, players: usize, played: &[Played], absent: &[PlayerId]) -> Vec<Meeting> {
    match *format {
        Format::RoundRobin { pairs } if played.is_empty() => round_robin::all(players, pairs),
        Format::Gauntlet { pairs, seeds } if played.is_empty() => round_robin::gauntlet(players, seeds, pairs),
        Format::Sprt { max_pairs, .. } if played.is_empty() => vec![Meeting::Pair([0, 1]); max_pairs as usize],
        Format::RoundRobin { .. } | Format::Gauntlet { .. } | Format::Sprt { .. } => Vec::new(),
        Format::Swiss { rounds, pairs } => swiss::next_round(players, rounds, pairs, played, absent),
        Format::Knockout { best_of, max_pairs } => knockout::next_step(players, [best_of, max_pairs], played),
    }
}

/// The stages so far.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    pairs: Vec<Pair>,
    /// Players with a bye, and its stage.
    byes: Vec<(PlayerId, u32)>,
    /// Players that were withdrawn, and the last stage of each.
    withdrawn: Vec<(PlayerId, u32)>,
    stages: u32,
    met: HashMap<[PlayerId; 2], u32>,
}

impl Schedule {
    /// Returns all pairs so far; a pair's number is its place here, from 1.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Returns each bye: the player and the stage.
    pub fn byes(&self) -> impl Iterator<Item = (PlayerId, u32)> {
        self.byes.iter().copied()
    }

    /// Returns how many stages there are so far.
    pub const fn stages(&self) -> u32 {
        self.stages
    }

    /// Leaves a player out after a stage.
    pub fn withdraw(&mut self, player: PlayerId, stage: u32) {
        self.withdrawn.push((player, stage));
    }

    /// Adds the next stage, once the pairs so far have these half points; `false` after the last stage. Panics when a
    /// pair has no result yet.
    pub fn advance(&mut self, format: &Format, players: usize, boards: usize, half_points: impl Fn(u32) -> u8) -> bool {
        // Long events have one stage, so their meetings need not be listed again.
        let meetings = match format {
            Format::RoundRobin { .. } | Format::Gauntlet { .. } | Format::Sprt { .. } if self.stages > 0 => Vec::new(),
            _ => {
                let gone = self.withdrawn.iter().filter(|(_, stage)| *stage <= self.stages);
                let absent: Vec<PlayerId> = gone.map(|(player, _)| *player).collect();
                next_stage(format, players, &self.played(half_points), &absent)
            }
        };
        self.stages += 1;
        for &meeting in &meetings {
            match meeting {
                Meeting::Pair(players) => self.add(players, boards),
                Meeting::Bye(player) => self.byes.push((player, self.stages)),
            }
        }
        !meetings.is_empty()
    }

    /// Returns all byes, then all pairs in their order, with these half points.
    fn played(&self, half_points: impl Fn(u32) -> u8) -> Vec<Played> {
        let bye = |(player, stage)| Played { meeting: Meeting::Bye(player), stage, half_points: HALF_POINTS };
        let pair = |&Pair { number, stage, players, .. }: &Pair| {
            let meeting = Meeting::Pair(players);
            Played { meeting, stage, half_points: half_points(number) }
        };
        self.byes().map(bye).chain(self.pairs.iter().map(pair)).collect()
    }

    fn add(&mut self, players: [PlayerId; 2], boards: usize) {
        let mut key = players;
        key.sort_unstable();
        let met = self.met.entry(key).or_default();
        let (board, opening) = (*met as usize % boards, *met / u32::try_from(boards).unwrap_or(u32::MAX));
        *met += 1;
        let number = u32::try_from(self.pairs.len() + 1).unwrap_or(u32::MAX);
        self.pairs.push(Pair { number, stage: self.stages, players, board, opening });
    }
}
