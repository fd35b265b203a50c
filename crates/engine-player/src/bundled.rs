use std::ffi::CStr;
use std::sync::Arc;

use amazons_engine::{Engine, EngineConfig, EvalTable, Method, TooLarge, Weights, engine};
use amazons_player::rules::{Board, Color, Position};
use amazons_search::{AlphaBetaConfig, Choice, MctsConfig, Player};

/// The worth to `mcts`, in log-odds, of being nearer to a vertex than the opponent.
const VERTEX: f32 = 0.15;

/// The players whose engine other programs of the same build can run without the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bundled {
    /// A best-first search with a learned evaluation of all distances on the board: the strongest.
    Champion,
    /// The same search as an example, with a simple evaluation.
    Mcts,
    /// A depth-first search.
    AlphaBeta,
}

/// The contents of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A bundled player from the same sources as this program.
    Bundled(Bundled),
    /// A bundled player from other sources.
    OtherBuild,
    /// Any other player.
    Other,
}

/// The resources of an engine.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// Bytes for its tree or table; by default the engine's own choice.
    pub memory: Option<usize>,
    /// Its threads, at least one.
    pub threads: usize,
}

impl Bundled {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Champion, Self::Mcts, Self::AlphaBeta];

    /// The player's name.
    #[must_use]
    pub const fn name(self) -> &'static CStr {
        match self {
            Self::Champion => c"champion",
            Self::Mcts => c"mcts",
            Self::AlphaBeta => c"alphabeta",
        }
    }

    /// Returns the name at a level, which the champion's tells.
    #[must_use]
    pub fn name_at(self, level: Option<u32>) -> &'static CStr {
        const LEVELS: [&CStr; 8] = [
            c"champion-1",
            c"champion-2",
            c"champion-3",
            c"champion-4",
            c"champion-5",
            c"champion-6",
            c"champion-7",
            c"champion-8",
        ];
        let at = level.filter(|_| self == Self::Champion).and_then(|level| LEVELS.get(level as usize - 1));
        at.copied().unwrap_or(self.name())
    }

    /// Returns what watches a best-first search for a move; `None` for a depth-first one, which keeps to its usual time.
    #[must_use]
    pub fn choice(self, position: &Position) -> Option<Choice> {
        let side = if position.side_to_move() == Color::Black { Player::First } else { Player::Second };
        (self != Self::AlphaBeta).then(|| Choice::new(side))
    }

    /// Bytes for its tree or table unless told: for `champion`, some four seconds' worth on one thread and the standard
    /// board; a full tree drops the least visited nodes.
    #[must_use]
    pub const fn memory(self) -> usize {
        match self {
            Self::Champion => 512 << 20,
            Self::Mcts => 128 << 20,
            Self::AlphaBeta => 64 << 20,
        }
    }

    /// Finds the bundled player that a library holds, by the mark that [`export_bundled!`](crate::export_bundled) leaves
    /// in it.
    #[must_use]
    pub fn find(library: &[u8]) -> Found {
        let Some(mark) = library.windows(MARK_LEN).find(|bytes| bytes.starts_with(MARK.as_bytes())) else {
            return Found::Other;
        };
        Self::ALL.into_iter().find(|bundled| bundled.mark() == mark).map_or(Found::OtherBuild, Found::Bundled)
    }

    /// The mark of its library.
    #[must_use]
    pub const fn mark(self) -> [u8; MARK_LEN] {
        let mut mark = [b' '; MARK_LEN];
        let parts = [MARK.as_bytes(), SOURCES.as_bytes(), b" ", self.name().to_bytes()];
        let (mut at, mut part) = (0, 0);
        while part < parts.len() {
            let mut byte = 0;
            while byte < parts[part].len() {
                mark[at] = parts[part][byte];
                (at, byte) = (at + 1, byte + 1);
            }
            part += 1;
        }
        mark
    }

    /// Makes its engine for a board; `adjust` may change the settings. Fails when the board is too large.
    pub fn engine(
        self,
        board: Arc<Board>,
        resources: Resources,
        adjust: impl FnOnce(EngineConfig) -> EngineConfig,
    ) -> Result<Box<dyn Engine>, TooLarge> {
        let config = adjust(EngineConfig::new(self.method(resources, board.vertex_count())));
        engine(board, Arc::new(self.table()), config)
    }

    fn method(self, Resources { memory, threads }: Resources, vertices: usize) -> Method {
        let bytes = memory.unwrap_or(self.memory());
        let best_first = MctsConfig { memory_bytes: bytes, threads, ..MctsConfig::default() };
        match self {
            // Where a visit judges all moves of a leaf, it need not wait for a second one (docs/strength.md).
            Self::Champion if EngineConfig::judged(vertices) == u32::MAX => {
                Method::BestFirst(MctsConfig { expand_after: 1, ..best_first })
            }
            Self::Champion => Method::BestFirst(best_first),
            // The champion's refinements are turned off: no minimax in the values, every child considered.
            Self::Mcts => Method::BestFirst(MctsConfig {
                minimax_weight: 0.0,
                widening_factor: f32::INFINITY,
                temperature: 0.5,
                ..best_first
            }),
            Self::AlphaBeta => Method::DepthFirst(AlphaBetaConfig { table_bytes: bytes, ..AlphaBetaConfig::default() }),
        }
    }

    fn table(self) -> EvalTable {
        match self {
            Self::Champion => EvalTable::standard(),
            Self::Mcts => EvalTable::new(&territory()),
            Self::AlphaBeta => EvalTable::new(Weights::standard()),
        }
    }
}

/// Weights that only count the vertices that a side reaches in fewer queen moves.
fn territory() -> Weights {
    let mut weights = Weights { values: [[0.0; Weights::PHASES]; Weights::COUNT] };
    for (name, values) in Weights::names().iter().zip(&mut weights.values) {
        if name.starts_with("queen") && !name.contains("tie") {
            values.fill(VERTEX);
        }
    }
    weights
}

/// The beginning of a mark.
const MARK: &str = "bundled Amazons engine ";

/// The sources that a library was built from.
const SOURCES: &str = env!("AMAZONS_SOURCES");

/// The length of a mark, with room for a name.
pub const MARK_LEN: usize = MARK.len() + SOURCES.len() + 16;
