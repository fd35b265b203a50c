use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use amazons_engine::{Engine, EngineConfig, EvalTable, Method, TooLarge, Variation, chance, engine};
use amazons_player::thread_time;
use amazons_rules::{Board, Color, Move, Position};
use amazons_search::{Limits, MctsConfig, Outcome, Player, Proof};

use crate::analysis::effort::{Effort, Remaining, Reports};
use crate::host::available_memory;

/// Maximum size of the tree: about four seconds' worth on one thread. A full tree drops the least visited nodes.
const TREE: u64 = 512 << 20;

/// The fewest visits between two questions of [`Analyst::visits_to_find`].
const FIRST_LOOK: u64 = 10;

/// The engine on one board.
#[derive(Clone, Debug)]
pub struct Analyst {
    board: Arc<Board>,
    table: Arc<EvalTable>,
    config: EngineConfig,
    effort: Effort,
}

/// The engine's evaluation of a position.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// The probability that the side to move wins, 0 to 1.
    pub win: f32,
    /// The winner with best play, if proven.
    pub certain: Option<Certain>,
    /// The best moves first; empty when the side to move is blocked.
    pub candidates: Vec<Candidate>,
    /// Visits of the tree for this position.
    pub nodes: u64,
    /// Half-moves of the longest line searched: steps of queens and arrows.
    pub depth: u32,
    /// Processor time of the calling thread.
    pub time: Duration,
}

/// A move and its continuation.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The move, then the best play of both sides.
    pub moves: Vec<Move>,
    /// The winning probability of the player of the move.
    pub win: f32,
    /// The winner after it, if proven.
    pub certain: Option<Certain>,
    /// Visits of the tree through this move, including those for earlier positions of a game.
    pub visits: u64,
}

/// A proven result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Certain {
    pub winner: Color,
    /// The number of moves until the other side is blocked: only known if the game is over (0) or a move ends it (1).
    ///
    /// Most proofs end where counting decides, many moves before the end of the game.
    pub moves: Option<u32>,
}

impl Certain {
    /// Reads the proof for a position from which this move was chosen.
    fn new(proof: Proof, position: &Position, mv: Move) -> Option<Self> {
        let winner = match proof.outcome {
            Outcome::Win(Player::First) => Color::Black,
            Outcome::Win(Player::Second) => Color::White,
            Outcome::Draw => return None,
        };
        let mut after = position.clone();
        after.play_unchecked(mv);
        let ends = winner == position.side_to_move() && !after.has_moves();
        Some(Self { winner, moves: ends.then_some(1) })
    }
}

impl Analyst {
    /// Prepares the analysis of positions on a board, unless that is too large.
    pub fn new(board: &Arc<Board>, effort: Effort) -> Result<Self, TooLarge> {
        // A quarter of the free memory leaves the rest to other programs.
        let tree = available_memory().map_or(TREE, |free| TREE.min(free / 4));
        let config = MctsConfig {
            memory_bytes: usize::try_from(tree).unwrap_or(usize::MAX),
            threads: effort.threads.get() as usize,
            ..MctsConfig::default()
        };
        Self::with_config(board, effort, EngineConfig::new(Method::BestFirst(config)))
    }

    /// Prepares the analysis by an engine with these settings, which have its threads and its memory.
    pub fn with_config(board: &Arc<Board>, effort: Effort, config: EngineConfig) -> Result<Self, TooLarge> {
        let analyst = Self { board: Arc::clone(board), table: Arc::new(EvalTable::standard()), config, effort };
        analyst.engine().map(|_| analyst)
    }

    /// Returns the same analyst with other limits; the number of threads stays.
    #[must_use]
    pub fn with_effort(&self, effort: Effort) -> Self {
        Self { effort, ..self.clone() }
    }

    /// Makes an engine that remembers nothing.
    fn engine(&self) -> Result<Box<dyn Engine>, TooLarge> {
        engine(Arc::clone(&self.board), Arc::clone(&self.table), self.config.clone())
    }

    /// Evaluates a position on the board and returns `count` of the best moves.
    ///
    /// Nothing is kept from other positions: with a limit of nodes and one thread the result is always the same.
    pub fn judge(&self, position: &Position, count: usize) -> Judgement {
        self.judge_while(position, count, Reports { stop: &AtomicBool::new(false), every: None }, &mut |_| ())
    }

    /// Returns after how many visits the engine prefers this move for good, asked again whenever it has made a tenth more
    /// visits, up to a limit or a proof; `None` if it prefers another one then. The limits of the analyst do not count.
    pub fn visits_to_find(&self, position: &Position, mv: Move, limit: u64) -> Option<u64> {
        let mut engine = self.engine().ok()?;
        let (mut visits, mut found) = (0, None);
        while visits < limit {
            let part = (visits / 10).max(FIRST_LOOK).min(limit - visits);
            let result = engine.search(position, &mut Limits::nodes(part))?;
            visits += result.nodes;
            found = if result.mv == mv { found.or(Some(visits)) } else { None };
            if result.proof.is_some() || result.nodes == 0 {
                break;
            }
        }
        found
    }

    /// Evaluates a position until its limits are reached or it is stopped; tells the evaluation so far now and then.
    pub fn judge_while(
        &self,
        position: &Position,
        count: usize,
        reports: Reports<'_>,
        tell: &mut dyn FnMut(&Judgement),
    ) -> Judgement {
        let side = position.side_to_move();
        let start = thread_time();
        let certain = Certain { winner: side.opposite(), moves: Some(0) };
        let lost = Judgement { win: 0.0, certain: Some(certain), ..Judgement::default() };
        // The constructor has made one.
        let Ok(mut engine) = self.engine() else { return lost };
        let mut remaining = Remaining::new(self.effort, reports);
        let mut nodes = 0;
        loop {
            let Some(result) = engine.search(position, remaining.begin()) else { return lost };
            nodes += result.nodes;
            let certain = |proof: Option<Proof>, mv: Move| Certain::new(proof?, position, mv);
            let candidate = |line: Variation| Candidate {
                win: chance(line.value, line.proof, position),
                certain: line.moves.first().and_then(|&mv| certain(line.proof, mv)),
                visits: line.visits,
                moves: line.moves,
            };
            let judgement = Judgement {
                win: chance(result.value, result.proof, position),
                certain: certain(result.proof, result.mv),
                candidates: engine.lines(count).into_iter().map(candidate).collect(),
                nodes,
                depth: result.depth,
                time: thread_time().saturating_sub(start),
            };
            if remaining.spend(result.nodes) || result.proof.is_some() {
                return judgement;
            }
            tell(&judgement);
        }
    }
}
