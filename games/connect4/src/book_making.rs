//! The making of an opening book.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::Size;
use crate::book::{Book, BookError, Opening, head, openings};
use crate::perfect::{Solver, Stop};

/// Positions of a batch: neighbours have much in common, so whoever solves one is quick with the next.
const BATCH: usize = 8;

/// The making of a book: its positions, in batches that are solved anywhere and come back in order.
#[derive(Clone, Debug)]
pub struct Making {
    size: Size,
    plies: u32,
    openings: Vec<Opening>,
}

/// Some of the positions, by their places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch(Range<usize>);

impl Making {
    pub fn new(size: Size, plies: u32) -> Self {
        let openings = openings(size, plies).into_iter().filter(|it| !it.wins_at_once()).collect();
        Self { size, plies, openings }
    }

    /// Returns the number of positions.
    pub const fn len(&self) -> usize {
        self.openings.len()
    }

    pub const fn is_empty(&self) -> bool {
        self.openings.is_empty()
    }

    /// Returns the first line of the book, and of the file that its making leaves when it is stopped.
    pub fn head(&self) -> String {
        head(self.size, self.plies, self.len())
    }

    /// Returns the batches from this place on.
    pub fn batches(&self, from: usize) -> impl Iterator<Item = Batch> + use<> {
        let number = self.len();
        (from..number).step_by(BATCH).map(move |start| Batch(start..number.min(start + BATCH)))
    }

    /// Computes the scores of a batch of this book; `None` if stopped.
    pub fn solve(&self, batch: &Batch, solver: &mut Solver, stop: &Stop<'_>) -> Option<Vec<i8>> {
        let openings = self.openings[batch.0.clone()].iter();
        let score = |opening: &Opening| solver.score(opening.position(), stop);
        openings.map(score).map(|score| score.and_then(|score| i8::try_from(score).ok())).collect()
    }

    /// Makes the book from all scores.
    pub fn finish(&self, scores: Vec<i8>) -> Result<Book, BookError> {
        let keys = self.openings.iter().map(Opening::key).collect();
        Book::with_keys(self.size, self.plies, keys, scores)
    }
}

impl Batch {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn belongs_to(&self, making: &Making) -> bool {
        self.0.start <= self.0.end && self.0.end <= making.len()
    }
}
