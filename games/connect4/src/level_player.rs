use std::io;

use amazons_search::{AlphaBeta, AlphaBetaConfig, Budget, Limits, Mcts, MctsConfig, Progress, Searcher};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::perfect::{Solver, Stop};
use crate::search::{Computer, Method, alone};
use crate::{BookChoice, Choice, Chosen, Ending, Level, OpenLines, Position, Size};

/// Bytes of the table of `alphabeta`, and of the tree of `mcts`.
const TABLE_BYTES: usize = 16 << 20;
const TREE_BYTES: usize = 64 << 20;

/// Maximum size of the table of `perfect`.
const SOLVER_BYTES: u64 = 256 << 20;

/// The binary logarithm of the entries of the table of `average`.
const AVERAGE_BITS: u32 = 20;

/// Plays at a level, on the calling thread.
///
/// The same level, seed and positions give the same moves.
#[derive(Debug)]
pub struct LevelPlayer {
    level: Level,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Random(Xoshiro256PlusPlus),
    Average(u32),
    AlphaBeta(u32, Box<AlphaBeta<Position, OpenLines>>),
    Mcts(u64, Box<Mcts<Position, OpenLines>>),
    Perfect(Box<Solver>),
}

impl LevelPlayer {
    /// Makes a player of games of a size. The seed matters to `random` only; `perfect` has the book that is shipped.
    pub fn new(level: Level, size: Size, seed: u64) -> io::Result<Self> {
        let kind = match level {
            Level::Random => Kind::Random(Xoshiro256PlusPlus::seed_from_u64(seed)),
            Level::Average(depth) => Kind::Average(depth),
            Level::AlphaBeta(depth) => {
                let config = AlphaBetaConfig { table_bytes: TABLE_BYTES, ..AlphaBetaConfig::default() };
                Kind::AlphaBeta(depth, Box::new(AlphaBeta::new(config, OpenLines)))
            }
            Level::Mcts(visits) => {
                let config = MctsConfig { memory_bytes: TREE_BYTES, ..MctsConfig::default() };
                Kind::Mcts(visits, Box::new(Mcts::new(config, OpenLines)))
            }
            Level::Perfect => {
                return Ok(Self::perfect(Solver::new(size, SOLVER_BYTES, 1)?.with_book(BookChoice::Shipped)));
            }
        };
        Ok(Self { level, kind })
    }

    /// Makes a player that plays perfectly with a solver, which may have a book or several threads.
    pub fn perfect(solver: Solver) -> Self {
        Self { level: Level::Perfect, kind: Kind::Perfect(Box::new(solver)) }
    }

    pub const fn level(&self) -> Level {
        self.level
    }

    /// Chooses a column of a position; `None` when the game is over.
    pub fn choose(&mut self, position: &Position) -> Option<Chosen> {
        self.choose_unless(position, &|| false)
    }

    /// Chooses a column of a position; `None` when the game is over, or the search was stopped.
    pub fn choose_unless(&mut self, position: &Position, stop: &Stop<'_>) -> Option<Chosen> {
        if position.ending().is_some() {
            return None;
        }
        match &mut self.kind {
            Kind::Random(random) => {
                let columns: Vec<u32> = position.columns().collect();
                let column = columns[random.random_range(0..columns.len())];
                Some(Chosen { column, ..Chosen::default() })
            }
            Kind::Average(depth) => {
                let (computer, is_wanted) = (Computer::default().with_max_bits(AVERAGE_BITS), || !stop());
                let depth = (*depth).min(position.size().cells() - position.plies());
                // One depth's values are no use to another.
                let search = |depth| alone(&computer, position, depth, Method::Table, depth, &is_wanted);
                Chosen::searched(&Choice::search(position.size(), depth, search).ok()?)
            }
            // It deepens ply by ply, so it proves the shortest win and the longest loss.
            Kind::AlphaBeta(depth, searcher) => search(position, &mut **searcher, Limits::depth(*depth), stop),
            Kind::Mcts(visits, searcher) => {
                // What earlier moves left in the tree would make this one depend on them.
                searcher.clear();
                let chosen = search(position, &mut **searcher, Limits::nodes(*visits), stop)?;
                Some(Chosen { score: None, ..chosen })
            }
            Kind::Perfect(solver) => Chosen::perfect(solver, position, stop),
        }
    }
}

/// A budget that can be stopped from outside.
struct Stoppable<'a>(Limits, &'a Stop<'a>);

impl Budget for Stoppable<'_> {
    fn exhausted(&mut self, _: &Progress) -> bool {
        (self.1)()
    }

    fn max_nodes(&self) -> u64 {
        self.0.max_nodes()
    }

    fn max_depth(&self) -> u32 {
        self.0.max_depth()
    }
}

/// Chooses a column; the score of a proof is that of a result in so many plies.
fn search(
    position: &Position,
    searcher: &mut impl Searcher<Position>,
    limits: Limits,
    stop: &Stop<'_>,
) -> Option<Chosen> {
    let report = searcher.search(position, &mut Stoppable(limits, stop));
    let column = report.best.filter(|_| !stop())?;
    let turn = position.turn();
    let score = report.proof.map(|proof| {
        let score = (position.size().cells() + 2 - position.plies() - proof.plies).cast_signed() / 2;
        match proof.outcome {
            Ending::Draw => 0,
            Ending::Win(player) if player == turn => score,
            Ending::Win(_) => -score,
        }
    });
    let value = Some(f64::from(turn.sign() * report.value));
    Some(Chosen { column, value, is_proven: report.proof.is_some(), score, nodes: report.nodes })
}
