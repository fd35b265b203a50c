use std::time::Duration;

use amazons_mpi::jobs::Task;
use serde::{Deserialize, Serialize};

use super::board::{Board, IMPOSSIBLE, Index};
use super::memo::{Known, Memo};
use super::search::{Codes, Node, Search, UNLIMITED};
use crate::code::Code;
use crate::feedback::Feedback;
use crate::game::{Game, ParseError};
use crate::symmetry::Symmetry;
use crate::tree::Tree;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Maximum number of guesses for a secret, if limited.
    pub max_guesses: Option<u8>,
    /// Room for 2 to the power of this many sets, 16 bytes each, in the memory of each process; the default depends on
    /// the game.
    pub memory_bits: Option<u32>,
    /// Threads that prepare the game and build the tree; 0 is 1.
    pub threads: usize,
}

/// A set to solve: the codes that answer a first guess alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    pub(super) first: Index,
    pub(super) answer: u8,
    /// The guess to try; `None` for all.
    pub(super) second: Option<Index>,
    /// Costs from here on are of no interest.
    pub(super) limit: u32,
    /// The number of the proof, from 0: nothing is remembered from one to the next.
    pub(super) run: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solved {
    /// A cost below the limit of the job, or else a lower bound.
    pub(super) cost: u32,
    pub(super) guess: Option<Index>,
    pub(super) nodes: u64,
    pub(super) spent: Duration,
}

/// State shared by the threads of a process.
#[derive(Debug)]
pub struct Solver {
    pub(super) board: Board,
    pub(super) codes: Codes,
    memo: Memo,
    pub(super) settings: Settings,
    pub(super) feedbacks: Vec<Feedback>,
}

/// A part of the codes with a symmetry of its own.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) answer: u8,
    pub(super) set: Vec<Index>,
    pub(super) symmetry: Symmetry,
}

impl Solver {
    pub fn new(game: Game, settings: Settings) -> Result<Self, ParseError> {
        let board = Board::new(game, settings.threads)?;
        let codes = Codes::new(&board);
        let memo = Memo::new(settings.memory_bits.unwrap_or(game.codes().ilog2() + 8).clamp(10, 34));
        Ok(Self { board, codes, memo, settings, feedbacks: game.feedbacks().collect() })
    }

    pub const fn game(&self) -> Game {
        self.board.game
    }

    pub(super) fn all(&self) -> Part {
        let set = (0..=Index::MAX).take(self.board.codes).collect();
        Part { answer: 0, set, symmetry: Symmetry::new(self.game()) }
    }

    pub(super) fn left(&self) -> u8 {
        self.settings.max_guesses.unwrap_or(UNLIMITED)
    }

    pub(super) fn code(&self, index: Index) -> Code {
        self.game().code(u32::from(index))
    }

    /// Returns the parts that a guess makes of a set, but not the guess itself.
    pub(super) fn parts(&self, part: &Part, guess: Index) -> Vec<Part> {
        let mut sets = vec![Vec::new(); self.board.found + 1];
        let row = self.board.row(guess);
        for &code in &part.set {
            sets[usize::from(row[usize::from(code)])].push(code);
        }
        sets.truncate(self.board.found);
        let symmetry = part.symmetry.after(self.code(guess));
        let of = |(answer, set)| Part { answer, set, symmetry: symmetry.clone() };
        (0..).zip(sets).filter(|(_, set)| !set.is_empty()).map(of).collect()
    }

    /// Lists the guesses for a set with their lower bounds, least first, of those that are alike only the lowest.
    pub(super) fn weigh(&self, part: &Part, left: u8) -> Vec<(u32, Index)> {
        let never = || false;
        let mut guesses = Vec::new();
        self.search(0, &never).weigh(self.node(part, left), &mut guesses);
        guesses.sort_unstable();
        guesses
    }

    /// Does a job of [`prove`](super::prove), timed by this clock; a stopped one returns anything. Fails if the job is not
    /// one for this game: then rank 0 runs another program.
    pub fn do_job(&self, task: Task<'_, Job>, clock: impl Fn() -> Duration) -> Result<Solved, String> {
        let (begun, job) = (clock(), task.job);
        let has = |code: Index| usize::from(code) < self.board.codes;
        if !has(job.first) || !job.second.is_none_or(has) {
            return Err(format!("rank 0 sent a job that is not one for {}", self.game()));
        }
        let left = self.fewer(self.left());
        let row = self.board.row(job.first);
        let set =
            (0..=Index::MAX).zip(row).filter(|(_, answer)| **answer == job.answer).map(|(code, _)| code).collect();
        let symmetry = Symmetry::new(self.game()).after(self.code(job.first));
        let part = Part { answer: job.answer, set, symmetry };
        let is_stopped = || task.is_cancelled();
        let mut search = self.search(job.run, &is_stopped);
        let known = match job.second {
            _ if part.set.is_empty() => Known { cost: IMPOSSIBLE, guess: None },
            None => search.solve(self.node(&part, left), job.limit, 0),
            Some(guess) => search.solve_guess(self.node(&part, left), guess, job.limit),
        };
        let spent = clock().saturating_sub(begun);
        Ok(Solved { cost: known.cost, guess: known.guess, nodes: search.nodes, spent })
    }

    /// Builds the tree of a set with at most this cost; the guess that has exactly this cost may be known.
    pub(super) fn tree(&self, run: u32, part: &Part, left: u8, cost: u32, guess: Option<Index>) -> Option<Tree> {
        let never = || false;
        let (cost, guess) = match guess {
            Some(guess) => (cost, guess),
            None => {
                let known = self.search(run, &never).solve(self.node(part, left), cost.saturating_add(1), 0);
                (known.cost, known.guess?)
            }
        };
        let (left, parts) = (self.fewer(left), self.parts(part, guess));
        let least = |part: &Part| self.board.least(part.set.len());
        let own = u32::try_from(part.set.len()).expect("at most 8192");
        // What the least costs of all parts leave over may be spent on any of them.
        let spare = cost.saturating_sub(own + parts.iter().map(least).sum::<u32>());
        let reply = |part: &Part| {
            Some((self.feedbacks[usize::from(part.answer)], self.tree(run, part, left, least(part) + spare, None)?))
        };
        Some(Tree { guess: self.code(guess), replies: parts.iter().map(reply).collect::<Option<_>>()? })
    }

    pub(super) fn fewer(&self, left: u8) -> u8 {
        if left == UNLIMITED { UNLIMITED } else { left - 1 }
    }

    fn node<'n>(&self, part: &'n Part, left: u8) -> Node<'n> {
        Node { set: &part.set, key: self.codes.key(&part.set), left, symmetry: &part.symmetry }
    }

    fn search<'s>(&'s self, run: u32, is_stopped: &'s (dyn Fn() -> bool + Sync)) -> Search<'s> {
        Search::new(&self.board, &self.codes, &self.memo, run, is_stopped)
    }
}
