use std::cmp::Reverse;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::game::Game;
use crate::scorer::Scorer;
use crate::strategy::{Guesses, Strategy};
use crate::symmetry::Symmetry;

/// How a strategy or a tree does against all secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// How many secrets are found with each number of guesses, from 1 on.
    pub distribution: Vec<u64>,
    /// How many pairs of a guess and a candidate the rule compares: in each position with more than two codes left,
    /// all allowed guesses with all codes left.
    pub pairs: u64,
    pub first: Option<u32>,
}

impl Table {
    /// Plays a strategy against all secrets of a game, on this many threads.
    pub fn new(game: Game, strategy: Strategy, guesses: Guesses, threads: usize) -> Self {
        let scorer = Scorer::new(game, strategy);
        let player = Player { scorer: &scorer, guesses };
        let all = Position { left: (0..game.codes()).collect(), symmetry: Symmetry::new(game), number: 1 };
        // After two guesses the positions are many enough to keep all threads busy to the end.
        let mut positions = vec![all];
        let mut table = Self::default();
        for _ in 0..2 {
            let steps = in_parallel(positions, threads, |position| {
                let mut table = Self::default();
                (player.step(position, &mut table), table)
            });
            positions = Vec::new();
            for (next, part) in steps {
                positions.extend(next);
                table.add(&part);
            }
        }
        positions.sort_by_key(|position| Reverse(position.left.len()));
        let parts = in_parallel(positions, threads, |position| {
            let mut table = Self::default();
            player.play(position, &mut table);
            table
        });
        parts.iter().for_each(|part| table.add(part));
        table
    }

    fn add(&mut self, other: &Self) {
        self.distribution.resize(self.distribution.len().max(other.distribution.len()), 0);
        self.distribution.iter_mut().zip(&other.distribution).for_each(|(sum, secrets)| *sum += secrets);
        self.pairs += other.pairs;
        self.first = self.first.or(other.first);
    }

    /// Returns the number of guesses against all secrets together.
    pub fn total(&self) -> u64 {
        (1..).zip(&self.distribution).map(|(guesses, secrets)| guesses * secrets).sum()
    }

    pub fn secrets(&self) -> u64 {
        self.distribution.iter().sum()
    }

    #[expect(clippy::cast_precision_loss, reason = "a mean is shown with a few digits")]
    pub fn mean(&self) -> f64 {
        self.total() as f64 / self.secrets().max(1) as f64
    }

    pub(crate) fn solve(&mut self, guesses: usize) {
        self.distribution.resize(self.distribution.len().max(guesses), 0);
        self.distribution[guesses - 1] += 1;
    }
}

struct Position {
    left: Vec<u32>,
    symmetry: Symmetry,
    /// Which guess is next, counted from 1.
    number: usize,
}

#[derive(Clone, Copy)]
struct Player<'a> {
    scorer: &'a Scorer,
    guesses: Guesses,
}

impl Player<'_> {
    /// Makes a guess; returns the positions after its answers.
    fn step(self, position: Position, table: &mut Table) -> Vec<Position> {
        let Position { left, symmetry, number } = position;
        if left.len() < 3 {
            (number..).zip(&left).for_each(|(number, _)| table.solve(number));
            return Vec::new();
        }
        let candidates = self.scorer.candidates(left);
        let Some(guess) = self.scorer.choose(&symmetry, &candidates, self.guesses) else { return Vec::new() };
        table.first.get_or_insert(guess);
        let game = self.scorer.game;
        let codes = candidates.indices.len() as u64;
        table.pairs += match (self.scorer.strategy, self.guesses) {
            (Strategy::First, _) => 0,
            (_, Guesses::All) => codes * u64::from(game.codes()),
            (_, Guesses::Possible) => codes * codes,
        };
        let symmetry = symmetry.after(game.code(guess));
        let mut positions = Vec::new();
        for (answer, left) in self.scorer.split(&candidates, game.code(guess)) {
            if answer == game.solved() {
                table.solve(number);
            } else {
                positions.push(Position { left, symmetry: symmetry.clone(), number: number + 1 });
            }
        }
        positions
    }

    fn play(self, position: Position, table: &mut Table) {
        for next in self.step(position, table) {
            self.play(next, table);
        }
    }
}

/// Does something with each item on some threads; the results come in the order of the items.
pub fn in_parallel<T: Send, R: Send>(items: Vec<T>, threads: usize, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    if threads < 2 || items.len() < 2 {
        return items.into_iter().map(work).collect();
    }
    let queue = Mutex::new(items.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let mut results = thread::scope(|scope| {
        let run = || {
            let mut results = Vec::new();
            while let Some((place, item)) = next() {
                results.push((place, work(item)));
            }
            results
        };
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        handles.into_iter().flat_map(|handle| handle.join().expect("no thread panics")).collect::<Vec<_>>()
    });
    results.sort_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, result)| result).collect()
}
