//! Solves positions in jobs, on the threads of this process or on the ranks of an MPI job.
//!
//! Rank 0 keeps a [`ProofTree`] from the position down; each job solves one of its leaves, or orders that leaf's moves by
//! short searches of the engine if the position is too much for one job. A [`Checkpoint`] keeps what the jobs found.

mod checkpoint;
mod job;
mod known;
mod progress;
mod size;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use amazons_mpi::Deadline;
use amazons_mpi::jobs::{Event, JobId};
use amazons_program::Interrupt;
use amazons_program::ranks::Ranks;
use amazons_rules::{Color, Move};
use amazons_solve::{Limit, NodeId, ProofTree, Solution, SolveLimits};

pub(crate) use checkpoint::Checkpoint;
use checkpoint::{Done, Found};
pub(crate) use job::{Answer, PositionJob, Root, Worker};
use job::{Outcome, Weighed};
pub(crate) use known::known;
use progress::Teller;
use size::{JobSize, MOST};

/// Positions to search before the work is shared out: small positions need no more.
const ALONE: u64 = 100_000;

/// How often limits and Ctrl-C are looked at while all wait for jobs.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort<'a> {
    /// The limits of the search.
    pub limits: SolveLimits,
    /// The longest time.
    pub time: Option<Duration>,
    /// Ctrl-C.
    pub interrupt: &'a Interrupt,
}

/// A search for the winner of one position, on rank 0.
pub(crate) struct Prover<'a, 'w> {
    effort: Effort<'a>,
    start: Instant,
    root: &'a Root,
    ranks: &'a mut Ranks<'w, PositionJob, Answer>,
    checkpoint: Option<Checkpoint>,
    tree: ProofTree,
    /// The leaves of jobs that were handed out.
    due: HashMap<JobId, NodeId>,
    size: JobSize,
    jobs: u64,
    nodes: u64,
}

impl<'a, 'w> Prover<'a, 'w> {
    /// Prepares the search of a position.
    pub(crate) fn new(
        root: &'a Root,
        effort: Effort<'a>,
        ranks: &'a mut Ranks<'w, PositionJob, Answer>,
        checkpoint: Option<Checkpoint>,
    ) -> Self {
        let size = checkpoint.as_ref().map_or_else(JobSize::new, |checkpoint| checkpoint.size);
        Self {
            effort,
            start: Instant::now(),
            root,
            ranks,
            checkpoint,
            tree: ProofTree::new(&root.position),
            due: HashMap::new(),
            size,
            jobs: 0,
            nodes: 0,
        }
    }

    /// Finds the winner, unless a limit is reached. Fails when the position is too large, no rank is left, or the
    /// checkpoint cannot be written.
    pub(crate) fn solve(mut self) -> anyhow::Result<Solution> {
        let (Root { position, solver, .. }, effort) = (self.root, self.effort);
        let mut alone = ALONE;
        if let Some(checkpoint) = &mut self.checkpoint {
            solver.restore(&checkpoint.take_costly());
            // It was shared out before.
            alone = if checkpoint.is_empty() { ALONE } else { 0 };
        }
        let mut go_on = || effort.goes_on(self.start);
        let first = solver.solve(position, alone.min(effort.limits.nodes), &mut go_on);
        self.nodes = first.nodes;
        if first.winner.is_some() || first.limit == Some(Limit::Time) || self.nodes >= effort.limits.nodes {
            return Ok(first);
        }
        let limit = self.share_out();
        self.ranks.cancel_all();
        let limit = limit?;
        Ok(Solution {
            winner: self.tree.winner(),
            winning_move: self.tree.winning_move(),
            nodes: self.nodes,
            table_entries: solver.table_entries(),
            proof_positions: None,
            limit,
        })
    }

    /// Hands out jobs until the winner is known; returns the limit that was reached before.
    fn share_out(&mut self) -> anyhow::Result<Option<Limit>> {
        // The root was too much already.
        let root = self.tree.take_leaf();
        root.into_iter().for_each(|leaf| self.push(leaf, 0));
        let mut teller = Teller::new(self.start);
        let mut trouble = String::new();
        while self.tree.winner().is_none() {
            if self.nodes >= self.effort.limits.nodes {
                return Ok(Some(Limit::Nodes));
            }
            if !self.effort.goes_on(self.start) {
                return Ok(Some(Limit::Time));
            }
            teller.tell(&self.root.position, &self.tree, (self.jobs, self.nodes));
            while self.ranks.room() > 0
                && let Some(leaf) = self.tree.take_leaf()
            {
                self.begin(leaf);
            }
            match self.ranks.next_event(Deadline::after(LOOK_EVERY)) {
                Ok(Some(Event::Result { job, answer, .. })) => self.take(job, answer)?,
                Ok(Some(Event::Left { rank, reason: Some(reason) })) => trouble = format!("rank {rank}: {reason}"),
                Ok(_) => {}
                Err(_) => anyhow::bail!("no rank is left that searches ({trouble})"),
            }
        }
        Ok(None)
    }

    /// Settles a leaf by what is known, or makes it a job.
    fn begin(&mut self, leaf: NodeId) {
        let position = self.tree.position(leaf);
        let known = self.checkpoint.as_ref().and_then(|checkpoint| checkpoint.known(&position));
        if let Some(Found::Winner(winner, mv)) = known {
            return self.settle(leaf, (winner, mv), MOST);
        }
        let solved = match self.root.solver.situation(&position) {
            Err(winner) => Some(self.tree.settle(leaf, winner, None)),
            Ok(situation) => self.tree.meet(leaf, situation),
        };
        match (solved, known) {
            (Some(solved), _) => self.conclude(solved),
            (None, Some(Found::TooMuch(weighed))) if !weighed.is_empty() => self.expand(leaf, weighed),
            (None, Some(_)) => self.push(leaf, 0),
            (None, None) => self.push(leaf, self.size.most),
        }
    }

    fn push(&mut self, leaf: NodeId, nodes: u64) {
        let job = self.ranks.push(&PositionJob::new(self.root, &self.tree.path(leaf), nodes));
        self.due.insert(job, leaf);
    }

    fn take(&mut self, job: JobId, answer: Answer) -> anyhow::Result<()> {
        let Some(leaf) = self.due.remove(&job) else { return Ok(()) };
        let Answer { outcome, nodes, costly } = answer;
        self.jobs += 1;
        self.nodes += nodes;
        let found = match outcome {
            Outcome::Won(black, mv) => {
                Found::Winner(if black { Color::Black } else { Color::White }, mv.map(job::received))
            }
            Outcome::Open(weighed) => Found::TooMuch(weighed),
            // Nobody wants it any more.
            Outcome::Dropped => return Ok(()),
        };
        self.size.note(nodes, matches!(found, Found::Winner(..)));
        if let Some(checkpoint) = &mut self.checkpoint {
            let path = &self.tree.path(leaf);
            checkpoint.keep(&self.root.position, Done { path, found: &found, nodes, costly: &costly })?;
        }
        match found {
            Found::Winner(winner, mv) => self.settle(leaf, (winner, mv), nodes),
            Found::TooMuch(weighed) => self.expand(leaf, weighed),
        }
        Ok(())
    }

    /// Gives a leaf its children.
    fn expand(&mut self, leaf: NodeId, weighed: Vec<Weighed>) {
        let prospects: Vec<_> = weighed.into_iter().map(Into::into).collect();
        let solved = self.tree.expand(leaf, &prospects);
        self.conclude(solved);
    }

    /// Notes a leaf's winner, which took so many positions, and the move by which its side to move wins.
    fn settle(&mut self, leaf: NodeId, (winner, mv): (Color, Option<Move>), nodes: u64) {
        // Another rank's table has it, or none.
        self.root.solver.keep(&self.tree.position(leaf), winner, nodes);
        let solved = self.tree.settle(leaf, winner, mv);
        self.conclude(solved);
    }

    /// Keeps the results of solved nodes for proofs, and cancels the jobs below them.
    fn conclude(&mut self, solved: Vec<(NodeId, Color)>) {
        if solved.is_empty() {
            return;
        }
        for (node, winner) in solved {
            self.root.solver.keep(&self.tree.position(node), winner, MOST);
        }
        let moot: Vec<JobId> =
            self.due.iter().filter(|&(_, &leaf)| self.tree.is_moot(leaf)).map(|(job, _)| *job).collect();
        for job in moot {
            self.ranks.cancel(job);
            self.due.remove(&job);
        }
    }
}

impl Effort<'_> {
    /// Returns whether there is time left, and nobody asked to stop.
    pub(crate) fn goes_on(&self, start: Instant) -> bool {
        !self.interrupt.is_set() && self.time.is_none_or(|time| start.elapsed() < time)
    }
}
