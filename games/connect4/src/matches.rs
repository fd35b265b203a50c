//! Matches of levels: pairs of games from random openings, colours reversed.

use amazons_statistics::{Ratings, Score, ratings};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::perfect::Stop;
use crate::{Ending, Level, LevelPlayer, Position, Side, Size};

/// How often a random opening may end the game before we give up.
const TRIES: u32 = 10_000;

/// Two games of two levels from one opening: the first level moves first in one, the second in the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The levels, by their numbers.
    pub levels: [usize; 2],
    /// The moves of the opening, by the names of columns.
    pub opening: String,
    /// The seed of both games.
    pub seed: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// All moves, by the names of columns.
    pub moves: String,
    pub ending: Ending,
    /// The sign of the score that perfect play promised at its first move, for each side that plays perfectly.
    pub promised: [Option<i32>; 2],
}

/// Returns a round robin: for every two levels so many pairs, from the same openings for all.
pub fn schedule(levels: usize, pairs: u32, size: Size, plies: u32, seed: u64) -> Result<Vec<Pairing>, String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut pairings = Vec::new();
    for _ in 0..pairs {
        let opening = opening(size, plies, &mut random)?;
        for first in 0..levels {
            for second in first + 1..levels {
                let (levels, opening, seed) = ([first, second], opening.clone(), random.random());
                pairings.push(Pairing { levels, opening, seed });
            }
        }
    }
    Ok(pairings)
}

/// Returns random moves after which the game goes on.
fn opening(size: Size, plies: u32, random: &mut Xoshiro256PlusPlus) -> Result<String, String> {
    for _ in 0..TRIES {
        let (mut position, mut moves) = (Position::empty(size), String::new());
        while position.plies() < plies {
            let columns: Vec<u32> = position.columns().collect();
            let Some(&column) = columns.choose(random) else { break };
            position.play_free(column);
            moves.push(size.column_name(column));
        }
        if position.plies() == plies && position.ending().is_none() {
            return Ok(moves);
        }
    }
    Err(format!("no game on {size} goes on after {plies} random plies: choose shorter openings"))
}

/// Plays a game of two levels, the one that moves first at the empty board first; `None` if it was stopped.
pub fn play(size: Size, opening: &str, players: [&mut LevelPlayer; 2], stop: &Stop<'_>) -> Option<PlayedGame> {
    let mut position = Position::from_moves(size, opening).expect("an opening can be played");
    let mut game = PlayedGame { moves: opening.to_owned(), ending: Ending::Draw, promised: [None; 2] };
    loop {
        if let Some(ending) = position.ending() {
            return Some(PlayedGame { ending, ..game });
        }
        let seat = usize::from(position.turn() == Side::Second);
        let chosen = players[seat].choose_unless(&position, stop)?;
        if players[seat].level() == Level::Perfect {
            game.promised[seat] = game.promised[seat].or(chosen.score.map(i32::signum));
        }
        position.play_free(chosen.column);
        game.moves.push(size.column_name(chosen.column));
    }
}

impl PlayedGame {
    /// Returns the half points of the side that moves first: 2, 1 or 0.
    pub const fn half_points(&self) -> u8 {
        match self.ending {
            Ending::Win(Side::First) => 2,
            Ending::Draw => 1,
            Ending::Win(Side::Second) => 0,
        }
    }

    /// Whether each perfect player got at least what it was promised; `None` if nobody was promised a win or a draw.
    pub fn is_kept(&self) -> Option<bool> {
        let result = i32::from(self.half_points()) - 1;
        let kept = [(self.promised[0], result), (self.promised[1], -result)].into_iter();
        let kept = kept.filter_map(|(promised, result)| promised.filter(|&it| it >= 0).map(|it| result >= it));
        kept.reduce(|all, one| all && one)
    }
}

#[derive(Clone, Debug)]
pub struct Results {
    levels: usize,
    /// By the first level, then the second.
    duels: Vec<Duel>,
    /// Games in which perfect play was promised a win or a draw, and those of them in which it got that.
    pub promised: u64,
    /// See `promised`.
    pub kept: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Duel {
    /// By the half points of the first level, 0 to 4.
    pairs: [u64; 5],
    /// Single games that the first level lost, drew and won.
    games: [u64; 3],
}

impl Results {
    pub fn new(levels: usize) -> Self {
        Self { levels, duels: vec![Duel::default(); levels * levels], promised: 0, kept: 0 }
    }

    /// Adds the games of a pairing: in the first game, its first level moves first.
    pub fn add(&mut self, pairing: &Pairing, games: &[PlayedGame; 2]) {
        let [first, second] = pairing.levels;
        let points = [games[0].half_points(), 2 - games[1].half_points()].map(usize::from);
        for (place, points) in
            [(first * self.levels + second, points), (second * self.levels + first, points.map(|it| 2 - it))]
        {
            let duel = &mut self.duels[place];
            duel.pairs[points[0] + points[1]] += 1;
            points.into_iter().for_each(|points| duel.games[points] += 1);
        }
        for kept in games.iter().filter_map(PlayedGame::is_kept) {
            self.promised += 1;
            self.kept += u64::from(kept);
        }
    }

    /// Returns the pairs of two levels by the points of the first.
    pub fn score(&self, first: usize, second: usize) -> Score {
        Score::pairs(self.duels[first * self.levels + second].pairs)
    }

    /// Returns the games of the first level against the second: lost, drawn, won.
    pub fn games(&self, first: usize, second: usize) -> [u64; 3] {
        self.duels[first * self.levels + second].games
    }

    /// Returns the points and games of a level against all others.
    pub fn points(&self, level: usize) -> (f64, u64) {
        let others = (0..self.levels).map(|other| self.games(level, other));
        others.fold((0.0, 0), |(points, games), [lost, drawn, won]| {
            (points + won as f64 + drawn as f64 / 2.0, games + lost + drawn + won)
        })
    }

    pub fn ratings(&self) -> Ratings {
        let points = |first: usize, second: usize| {
            let [_, drawn, won] = self.games(first, second);
            won as f64 + drawn as f64 / 2.0
        };
        let table: Vec<Vec<f64>> =
            (0..self.levels).map(|first| (0..self.levels).map(|second| points(first, second)).collect()).collect();
        ratings(&table)
    }
}
