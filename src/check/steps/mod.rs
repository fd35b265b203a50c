//! The steps and their shared state.

mod calls;
mod costs;
mod directions;
mod games;

use std::sync::Arc;

use amazons_rules::{Board, Position, Shape};

use super::Servers;
use super::finding::Finding;
use super::harness::{CheckGame, Harness};
use super::leaks::LeakSearch;
use super::step::CheckStep;
use super::trouble::Trouble;

/// The usual size of a board.
const SIZE: u32 = 10;

/// The number of tries in a step.
#[derive(Clone, Copy, Debug)]
struct Tries {
    made: usize,
    /// The number that would have been made, had not one used up all the time.
    wanted: usize,
}

impl Tries {
    const ONE: Self = Self { made: 1, wanted: 1 };
}

/// A run in progress.
#[derive(Debug)]
pub(super) struct Steps {
    harness: Harness,
    /// The size of the boards of whole games.
    size: u32,
    search: LeakSearch,
    servers: Servers,
    /// Why nothing more can be tried.
    blocked: Option<String>,
    /// The library loads and has its four functions.
    is_loaded: bool,
    /// Boards on which `initialize` or an earlier game failed before the first move.
    unusable: Vec<(Shape, u32)>,
    /// The mistakes so far with their steps: each is reported once.
    known: Vec<(CheckStep, Trouble)>,
    /// The finding about the four functions, which loading shows.
    functions: Option<Finding>,
    /// The mistake with the requested numbering, if the other one works.
    refuted: Option<Trouble>,
    /// Whether whole games went well with the current numbering.
    games_work: bool,
    /// The square's first game, for comparison.
    first_game: Option<CheckGame>,
}

impl Steps {
    pub(super) fn new(harness: Harness, size: Option<u32>, search: LeakSearch, servers: Servers) -> Self {
        Self {
            harness,
            size: size.unwrap_or(SIZE),
            search,
            servers,
            blocked: None,
            is_loaded: false,
            unusable: Vec::new(),
            known: Vec::new(),
            functions: None,
            refuted: None,
            games_work: false,
            first_game: None,
        }
    }

    pub(super) fn take(&mut self, step: CheckStep) -> anyhow::Result<Finding> {
        // Valgrind also shows what goes wrong in a first call.
        let may_run = step == CheckStep::Frees && self.search == LeakSearch::Valgrind && self.is_loaded;
        if let Some(reason) = self.blocked.as_ref().filter(|_| !may_run) {
            return Ok(Finding::skipped(reason.clone()));
        }
        match step {
            CheckStep::Loads => self.loads(),
            CheckStep::Functions => Ok(self.functions.take().unwrap_or_else(|| Finding::skipped("it did not load"))),
            CheckStep::Initialize => self.initialize(),
            CheckStep::Name => self.name(),
            CheckStep::Games => self.games(),
            CheckStep::Itself => self.itself(),
            CheckStep::Directions => self.directions(),
            CheckStep::CompactCount
            | CheckStep::Rectangular
            | CheckStep::FourDirections
            | CheckStep::ExplicitZeros
            | CheckStep::CsrAsCoo
            | CheckStep::OneWayEdges => self.foreign(step),
            CheckStep::Frees => self.frees(),
            CheckStep::Time => Ok(self.time()),
            CheckStep::Memory => Ok(self.memory()),
            CheckStep::Quiet => self.quiet(),
            CheckStep::Repeats => self.repeats(),
        }
    }

    /// Judges several tries; an earlier step's mistakes are not reported again.
    fn judge(&mut self, step: CheckStep, troubles: &[Trouble], tries: Tries, all_well: String) -> Finding {
        let count = troubles.len();
        let known = |trouble: &Trouble| self.known.iter().find(|(_, known)| known.is_like(trouble));
        let Some(new) = troubles.iter().find(|trouble| known(trouble).is_none()) else {
            return match troubles.first().and_then(known) {
                None => Finding::passed(all_well),
                Some((earlier, _)) => Finding::skipped(format!("it fails as in step {}", earlier.number())),
            };
        };
        self.fail(step, new.clone(), count, tries)
    }

    fn fail(&mut self, step: CheckStep, trouble: Trouble, count: usize, Tries { made, wanted }: Tries) -> Finding {
        let more = match (made, wanted) {
            (1, 1) => String::new(),
            _ if made < wanted => format!(" ({count} of {made} tries failed, {} more were skipped)", wanted - made),
            _ => format!(" ({count} of {made} tries failed)"),
        };
        let advice = trouble.advice(&self.harness.player().display().to_string(), self.search);
        let finding = Finding::failed(format!("{}{more}", trouble.reason), advice);
        // Other servers' requirements must not hide how ours fares.
        if !step.label().is_optional {
            self.known.push((step, trouble));
        }
        finding
    }

    pub(super) fn block(&mut self, reason: &str) {
        self.blocked = Some(reason.to_owned());
    }

    fn usable(&self, m: u32) -> Vec<Shape> {
        Shape::ALL.into_iter().filter(|&shape| !self.unusable.contains(&(shape, m))).collect()
    }
}

fn start(shape: Shape, m: u32) -> Position {
    Position::start(Arc::new(Board::new(shape, m).expect("the size was checked")))
}
