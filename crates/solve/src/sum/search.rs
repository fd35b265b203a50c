use rustc_hash::FxHashMap;

use super::games::{Game, Games};
use super::walls::{Number, ONE, stops};

/// Some games that are no numbers, in ascending order, and the sum of all numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    games: Vec<Game>,
    number: Number,
}

/// Finds the winners of sums of games.
#[derive(Clone, Debug, Default)]
pub(super) struct SumSearch {
    /// For games and the side to move: Left wins with this number or more, and Right with that number or less.
    known: FxHashMap<(Vec<Game>, bool), [Number; 2]>,
}

impl Sum {
    /// Adds a game; a game and its negative are nothing. `None` if it is too large.
    pub(super) fn plus(mut self, games: &mut Games, game: Game) -> Option<Self> {
        if let Some(number) = games.number(game) {
            self.number += number;
            return Some(self);
        }
        let negative = games.negative(game)?;
        if let Ok(found) = self.games.binary_search(&negative) {
            self.games.remove(found);
        } else {
            let place = self.games.partition_point(|&other| other < game);
            self.games.insert(place, game);
        }
        Some(self)
    }

    /// Adds a whole number.
    pub(super) fn plus_whole(mut self, number: i32) -> Self {
        self.number += Number::from(number) * ONE;
        self
    }
}

impl SumSearch {
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Returns whether Left wins; `None` if the games are too large.
    pub(super) fn left_wins(&mut self, games: &mut Games, sum: &Sum, left_moves: bool) -> Option<bool> {
        if sum.games.is_empty() {
            return Some(if left_moves { sum.number > 0 } else { sum.number >= 0 });
        }
        if let Some(winner) = bounded(games, sum) {
            return Some(winner);
        }
        let key = (sum.games.clone(), left_moves);
        if let Some(&[win_from, loss_to]) = self.known.get(&key) {
            if sum.number >= win_from {
                return Some(true);
            }
            if sum.number <= loss_to {
                return Some(false);
            }
        }
        games.step()?;
        let wins = self.move_wins(games, sum, left_moves)? == left_moves;
        let [win_from, loss_to] = self.known.entry(key).or_insert([Number::MAX, Number::MIN]);
        if wins {
            *win_from = sum.number.min(*win_from);
        } else {
            *loss_to = sum.number.max(*loss_to);
        }
        Some(wins)
    }

    /// Returns whether a move of the side to move wins; moves in hot games come first, and none is made in numbers.
    fn move_wins(&mut self, games: &mut Games, sum: &Sum, left_moves: bool) -> Option<bool> {
        let mut distinct = sum.games.clone();
        distinct.dedup();
        distinct.sort_by_key(|&game| std::cmp::Reverse(games.thermograph(game).temperature()));
        let mut open = Vec::new();
        for game in distinct {
            let mut rest = sum.clone();
            rest.games.remove(rest.games.binary_search(&game).ok()?);
            for option in games.options(game)[usize::from(!left_moves)].clone() {
                let next = rest.clone().plus(games, option)?;
                match bounded(games, &next) {
                    Some(left_wins) if left_wins == left_moves => return Some(true),
                    Some(_) => {}
                    None => open.push(next),
                }
            }
        }
        for next in open {
            if self.left_wins(games, &next, !left_moves)? == left_moves {
                return Some(true);
            }
        }
        Some(false)
    }
}

/// Returns whether Left wins whoever moves, if thermographs tell.
fn bounded(games: &Games, sum: &Sum) -> Option<bool> {
    let [low, high] = stops(sum.games.iter().map(|&game| games.thermograph(game)));
    if sum.number + low > 0 {
        Some(true)
    } else if sum.number + high < 0 {
        Some(false)
    } else {
        None
    }
}
