use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use amazons_engine::{Engine, EngineConfig, EvalTable, Method, TooLarge, engine};
use amazons_mpi::jobs::Task;
use amazons_program::locked;
use amazons_rules::{Board, Color, IllegalMove, Move, MoveList, Position, TextError, Vertex};
use amazons_search::{Limits, MctsConfig};
use amazons_solve::{CostlyResult, Limit, Prospect, SolveLimits, Solver, TableFile, TooManyVertices};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Visits of the engine for each move that is weighed.
const VISITS: u64 = 30;

/// An error in a job, or in a line of a checkpoint.
#[derive(Debug, Error)]
pub(crate) enum JobError {
    #[error(transparent)]
    Text(#[from] TextError),
    #[error(transparent)]
    Solver(#[from] TooManyVertices),
    #[error(transparent)]
    Engine(#[from] TooLarge),
    #[error("{text}: {}", reason.describe(board))]
    Illegal { text: String, reason: IllegalMove, board: Arc<Board> },
    #[error("a result is not of 32 hexadecimal digits")]
    Digits,
}

/// A position to solve, or to weigh the moves of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PositionJob {
    /// The text of the root.
    root: String,
    /// Where ranks of the same machine find the table.
    table: Option<Vec<u8>>,
    /// The moves from there.
    path: Vec<[Vertex; 3]>,
    /// The positions to search; 0 only weighs.
    nodes: u64,
}

/// The result of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(super) outcome: Outcome,
    /// The positions searched.
    pub(super) nodes: u64,
    /// The results that took many of them.
    pub(super) costly: Vec<CostlyResult>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Outcome {
    /// Whether Black wins, and the move by which the side to move does.
    Won(bool, Option<[Vertex; 3]>),
    /// Too much for one job: the moves that matter.
    Open(Vec<Weighed>),
    /// The job was cancelled.
    Dropped,
}

/// A [`Prospect`] that is sent.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Weighed {
    pub(super) mv: [Vertex; 3],
    pub(super) chance: f32,
    pub(super) answers: u32,
}

/// Does jobs on one rank, for one position after the other.
#[derive(Debug)]
pub(crate) struct Worker {
    limits: SolveLimits,
    /// Whether tables are made to be shared with other ranks.
    shares: AtomicBool,
    root: Mutex<Option<(String, Arc<Root>)>>,
}

/// A position that jobs begin with.
#[derive(Debug)]
pub(crate) struct Root {
    pub(super) position: Position,
    /// The table that all threads share.
    pub(crate) solver: Solver,
    /// The same for ranks of one machine, if there are several.
    file: Option<TableFile>,
}

impl PositionJob {
    pub(super) fn new(root: &Root, path: &[Move], nodes: u64) -> Self {
        let table = root.file.as_ref().map(TableFile::address);
        Self { root: root.position.to_string(), table, path: path.iter().map(|&mv| sent(mv)).collect(), nodes }
    }
}

impl Worker {
    /// Prepares the jobs of this rank; the table is made with the first.
    pub(crate) fn new(limits: SolveLimits) -> Self {
        Self { limits, shares: AtomicBool::new(false), root: Mutex::new(None) }
    }

    /// Makes tables from now on that other ranks of this machine can share.
    pub(crate) fn share_tables(&self) {
        self.shares.store(true, Ordering::Relaxed);
    }

    /// Returns what belongs to a root, in place of an earlier one's.
    pub(crate) fn root(&self, text: &str) -> Result<Arc<Root>, JobError> {
        // Without such memory, each rank has a table of its own.
        self.root_on(text, || self.shares.load(Ordering::Relaxed).then(|| TableFile::create(&self.limits).ok())?)
    }

    fn root_on(&self, text: &str, file: impl FnOnce() -> Option<TableFile>) -> Result<Arc<Root>, JobError> {
        let mut kept = locked(&self.root);
        if let Some((known, root)) = &*kept
            && known == text
        {
            return Ok(Arc::clone(root));
        }
        // Two tables may not fit.
        *kept = None;
        let (position, file) = (Position::parse(text)?, file());
        let solver = match &file {
            Some(file) => Solver::sharing(&position, &self.limits, file)?,
            None => Solver::new(&position, &self.limits)?,
        };
        let root = Arc::new(Root { position, solver, file });
        *kept = Some((text.to_owned(), Arc::clone(&root)));
        Ok(root)
    }

    /// Does a job.
    pub(crate) fn work(&self, task: Task<'_, PositionJob>) -> Result<Answer, JobError> {
        let PositionJob { root, table, path, nodes } = task.job;
        // On another machine there is no such file.
        let root = self.root_on(root, || TableFile::open(table.as_ref()?, &self.limits).ok())?;
        let mut position = root.position.clone();
        path.iter().for_each(|&mv| position.play_unchecked(received(mv)));
        let (outcome, nodes) = root.outcome(&position, *nodes, &task)?;
        Ok(Answer { outcome, nodes, costly: root.solver.take_costly() })
    }
}

impl Root {
    /// Searches at most so many positions; weighs the moves if that is too little.
    fn outcome(
        &self,
        position: &Position,
        nodes: u64,
        task: &Task<'_, PositionJob>,
    ) -> Result<(Outcome, u64), JobError> {
        if nodes == 0 {
            return Ok((self.weigh(position, task)?, 0));
        }
        let found = self.solver.solve(position, nodes, &mut || !task.is_cancelled());
        let outcome = match (found.winner, found.limit) {
            (Some(winner), _) => Outcome::Won(winner == Color::Black, found.winning_move.map(sent)),
            (None, Some(Limit::Time)) => Outcome::Dropped,
            (None, _) => self.weigh(position, task)?,
        };
        Ok((outcome, found.nodes))
    }

    /// Asks the engine about each move that matters.
    fn weigh(&self, position: &Position, task: &Task<'_, PositionJob>) -> Result<Outcome, JobError> {
        let search = MctsConfig { memory_bytes: 1, expand_after: 1, ..MctsConfig::default() };
        let config = EngineConfig::new(Method::BestFirst(search));
        let table = Arc::new(EvalTable::standard());
        let mut engine = engine(Arc::clone(position.board()), table, config)?;
        let mut moves = Vec::new();
        for mv in self.solver.open_moves(position) {
            if task.is_cancelled() {
                return Ok(Outcome::Dropped);
            }
            let mut after = position.clone();
            after.play_unchecked(mv);
            moves.push(Weighed::new(mv, &after, engine.as_mut()));
        }
        Ok(Outcome::Open(moves))
    }
}

impl Weighed {
    fn new(mv: Move, after: &Position, engine: &mut dyn Engine) -> Self {
        let mut answers = MoveList::new();
        after.legal_moves(&mut answers);
        let answers = u32::try_from(answers.len()).unwrap_or(u32::MAX);
        let value = engine.search(after, &mut Limits::nodes(VISITS)).map_or(-1.0, |result| result.value);
        Self { mv: sent(mv), chance: (1.0 - value) / 2.0, answers }
    }
}

/// Returns a move as it is sent.
pub(super) fn sent(mv: Move) -> [Vertex; 3] {
    [mv.from, mv.to, mv.arrow]
}

pub(super) fn received([from, to, arrow]: [Vertex; 3]) -> Move {
    Move { from, to, arrow }
}

impl From<Weighed> for Prospect {
    fn from(weighed: Weighed) -> Self {
        Self { mv: received(weighed.mv), chance: weighed.chance.into(), answers: weighed.answers }
    }
}
