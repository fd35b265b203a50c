use std::sync::Arc;

use amazons_rules::{Move, Position};
use amazons_search::{Budget, Game as _, Progress};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::engine::{Engine, SearchResult, Variation};
use crate::{GraphGame, HalfMoves};

/// A strength below the engine's full one, as Elo on a scale that begins with 1200 for level 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u32);

/// The work for a move; the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Judges so many random moves and plays the best.
    Drawn(u64),
    /// Searches with an empty tree and so many nodes.
    Searched(u64),
}

/// The levels, weakest first: Elo, measured on the standard board (`docs/strength.md`), and effort.
const LEVELS: [(u32, Effort); 8] = [
    (1200, Effort::Drawn(12)),
    (1395, Effort::Drawn(21)),
    (1625, Effort::Drawn(48)),
    (1830, Effort::Searched(14)),
    (2035, Effort::Searched(40)),
    (2225, Effort::Searched(115)),
    (2445, Effort::Searched(370)),
    (2670, Effort::Searched(1150)),
];

impl Level {
    /// The number of levels, and the strongest one's number.
    pub const COUNT: u32 = 8;
    /// The weakest level.
    pub const MIN: Self = Self(LEVELS[0].0);
    /// The strongest level.
    pub const MAX: Self = Self(LEVELS[Self::COUNT as usize - 1].0);

    /// Returns the level of a number from 1 to [`Level::COUNT`].
    #[must_use]
    pub fn new(number: u32) -> Option<Self> {
        LEVELS.get(usize::try_from(number.checked_sub(1)?).ok()?).map(|&(elo, _)| Self(elo))
    }

    /// Returns the strength nearest to this Elo; between two levels, each move is drawn from one of them.
    #[must_use]
    pub fn of_elo(elo: u32) -> Self {
        Self(elo.clamp(Self::MIN.0, Self::MAX.0))
    }

    /// Returns the Elo.
    #[must_use]
    pub const fn elo(self) -> u32 {
        self.0
    }

    /// Draws the effort for a move: that of the level, or of one of the two levels around.
    fn effort(self, rng: &mut Xoshiro256PlusPlus) -> Effort {
        let above = LEVELS.partition_point(|&(elo, _)| elo < self.0).max(1);
        let [(low, weaker), (high, stronger)] = [LEVELS[above - 1], LEVELS[above]];
        if rng.random_range(low..high) < self.0 { stronger } else { weaker }
    }
}

/// Makes an engine for an effort.
pub(crate) type Make = Box<dyn Fn(Effort) -> Box<dyn Engine> + Send>;

/// The value below the best move's at which a move is still drawn: without a draw each game would be the same.
const MARGIN: f32 = 0.06;

/// Maximum number of moves to draw from.
const CHOICES: usize = 8;

/// A weakened engine: its move depends on position and seed alone.
pub(crate) struct Weakened {
    level: Level,
    seed: u64,
    game: Arc<GraphGame>,
    make: Make,
    /// The moves to choose from; all if empty.
    only: Vec<Move>,
    /// The last move's engine, and the choice.
    last: Option<(Box<dyn Engine>, Variation)>,
}

impl Weakened {
    pub(crate) fn new(level: Level, seed: u64, game: Arc<GraphGame>, make: Make) -> Self {
        Self { level, seed, game, make, only: Vec::new(), last: None }
    }
}

impl Engine for Weakened {
    fn search(&mut self, position: &Position, budget: &mut dyn Budget) -> Option<SearchResult> {
        let key = HalfMoves::new(Arc::clone(&self.game), position).key();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(key ^ self.seed);
        let effort = self.level.effort(&mut rng);
        let (Effort::Drawn(nodes) | Effort::Searched(nodes)) = effort;
        let mut engine = (self.make)(effort);
        engine.restrict(&self.only);
        self.last = None;
        let result = engine.search(position, &mut AtMost { nodes, budget })?;
        let mut lines = engine.lines(CHOICES);
        let best = lines[0].value;
        let is_good = |line: &&Variation| line.proof.or(result.proof).is_none() && line.value >= best - MARGIN;
        let good = lines.iter().take_while(is_good).count();
        let choice = lines.swap_remove(rng.random_range(0..good.max(1)));
        let (mv, value, principal_variation) = (choice.moves[0], choice.value, choice.moves.clone());
        self.last = Some((engine, choice));
        Some(SearchResult { mv, value, principal_variation, ..result })
    }

    fn restrict(&mut self, moves: &[Move]) {
        self.only = moves.to_vec();
        self.last = None;
    }

    fn lines(&self, count: usize) -> Vec<Variation> {
        let Some((engine, choice)) = &self.last else { return Vec::new() };
        let others = engine.lines(count).into_iter().filter(|line| line.moves[0] != choice.moves[0]);
        std::iter::once(choice.clone()).chain(others).take(count).collect()
    }
}

/// A budget with fewer nodes.
struct AtMost<'a> {
    nodes: u64,
    budget: &'a mut dyn Budget,
}

impl Budget for AtMost<'_> {
    fn exhausted(&mut self, progress: &Progress) -> bool {
        progress.nodes >= self.nodes || self.budget.exhausted(progress)
    }

    fn max_nodes(&self) -> u64 {
        self.nodes.min(self.budget.max_nodes())
    }

    fn max_depth(&self) -> u32 {
        self.budget.max_depth()
    }
}
