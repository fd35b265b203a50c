//! The averaged search on all ranks of a world.

mod computer;
mod report;

use std::collections::HashMap;
use std::time::Duration;

use amazons_mpi::jobs::{Dispatcher, Event, JobId};
use amazons_mpi::{Deadline, World};

pub use computer::{Clock, Computer};
pub use report::alone;

use crate::average::Value;
use crate::jobs::{Answer, Job, Question, Reply};
pub use crate::jobs::{Method, SearchError};
use crate::{Choice, DepthError, Position, TaskTree};

/// Tasks for each thread that computes, at least: fewer cannot be shared out evenly.
const TASKS_PER_THREAD: usize = 16;

/// A thread computes one task and has the next one in hand.
const IN_HAND: usize = 2;

/// How often to ask whether the result is still wanted.
const POLL_EVERY: Duration = Duration::from_millis(100);

/// Rank 0's side of averaged searches, one after the other.
///
/// There must be only one for a session of jobs: workers tell searches apart by their numbers.
pub struct Searcher<'a, W> {
    dispatcher: &'a mut Dispatcher<W, Job, Reply>,
    threads: usize,
    search: u32,
    /// How many of the ranks compute, from rank 0 on.
    ranks: usize,
    is_wanted: &'a dyn Fn() -> bool,
    note: &'a dyn Fn(&str),
    /// The cost of each task of the latest search: the same tasks of a deeper one are handed out in that order.
    costs: HashMap<Position, u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// Plies.
    pub depth: u32,
    /// Plies above the tasks; `None` for what suits the number of threads.
    pub task_depth: Option<u32>,
    pub method: Method,
}

#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The value of each free column, for the side to move.
    pub values: Vec<(u32, Value)>,
    /// The plies above the tasks.
    pub task_depth: u32,
    /// The tasks, with those that turned out to be superfluous.
    pub tasks: usize,
    /// The tasks that were computed, by rank.
    pub computed: Vec<usize>,
    /// Executions of the rule, or positions looked at.
    pub calls: u64,
    /// The calls of each task; `None` for those that nobody computed.
    pub costs: Vec<Option<u64>>,
    /// Processor time of the tasks, by rank.
    pub cpu: Vec<Duration>,
}

impl Evaluation {
    fn add(&mut self, task: usize, rank: usize, answer: &Answer) {
        self.calls += answer.calls;
        self.costs[task] = Some(answer.calls);
        self.computed[rank] += 1;
        self.cpu[rank] += answer.cpu;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// The values of the columns; superfluous tasks are cancelled.
    Values,
    /// The cost of every task.
    Costs,
}

impl<'a, W: World> Searcher<'a, W> {
    /// Searches with the ranks of a session, each of so many threads.
    pub fn new(dispatcher: &'a mut Dispatcher<W, Job, Reply>, threads: usize) -> Self {
        Self {
            dispatcher,
            threads,
            search: 0,
            ranks: usize::MAX,
            is_wanted: &|| true,
            note: &|_| (),
            costs: HashMap::new(),
        }
    }

    /// Gives up soon after this returns false.
    pub fn while_wanted(self, is_wanted: &'a dyn Fn() -> bool) -> Self {
        Self { is_wanted, ..self }
    }

    /// Calls this with a line for each rank that leaves.
    pub fn with_notes(self, note: &'a dyn Fn(&str)) -> Self {
        Self { note, ..self }
    }

    /// Forgets what earlier searches cost, so that the next one hands out its tasks in the order of the tree.
    pub fn forget_costs(&mut self) {
        self.costs.clear();
    }

    /// Returns the dispatcher, for jobs of other kinds.
    pub const fn dispatcher(&mut self) -> &mut Dispatcher<W, Job, Reply> {
        self.dispatcher
    }

    /// Computes on so many ranks only, from rank 0 on.
    pub fn use_ranks(&mut self, ranks: usize) {
        self.ranks = ranks;
        let workers: Vec<usize> = self.dispatcher.workers().collect();
        for rank in workers {
            self.dispatcher.set_in_hand(rank, if rank < ranks { IN_HAND * self.threads } else { 0 });
        }
    }

    pub fn is_wanted(&self) -> bool {
        (self.is_wanted)()
    }

    /// Gives this job to each of the other ranks, and waits until all have done it.
    pub fn tell(&mut self, job: &Job) -> Result<(), SearchError> {
        let others: Vec<usize> = self.dispatcher.workers().filter(|&rank| rank != 0).collect();
        for rank in others {
            self.use_ranks(0);
            self.dispatcher.set_in_hand(rank, 1);
            let told = self.dispatcher.push(job);
            while self.dispatcher.workers().any(|worker| worker == rank) && (self.is_wanted)() {
                let Some(event) = self.dispatcher.next_event(Deadline::after(POLL_EVERY))? else { continue };
                if self.result(event)?.is_some_and(|(job, ..)| job == told) {
                    break;
                }
            }
            self.dispatcher.cancel(told);
        }
        self.use_ranks(usize::MAX);
        if (self.is_wanted)() { Ok(()) } else { Err(SearchError::Stopped) }
    }

    /// Keeps in touch with the other ranks until the deadline, as while a person thinks.
    pub fn idle(&mut self, deadline: Deadline) -> Result<(), SearchError> {
        while let Some(event) = self.dispatcher.next_event(deadline)? {
            self.result(event)?;
        }
        Ok(())
    }

    /// Chooses a column of a game that goes on, by searches to depth 1, 2, and so on.
    pub fn choose(&mut self, position: &Position, depth: u32) -> Result<Choice, SearchError> {
        Choice::search(position.size(), depth, |depth| {
            let settings = SearchSettings { depth, task_depth: None, method: Method::Table };
            self.evaluate(position, &settings).map(|evaluation| (evaluation.values, evaluation.calls))
        })
    }

    /// Evaluates all columns of a position of a game that goes on.
    pub fn evaluate(&mut self, position: &Position, settings: &SearchSettings) -> Result<Evaluation, SearchError> {
        self.search(position, settings, Wanted::Values)
    }

    /// Computes every task, also those that turn out to be superfluous, to learn what each of them costs.
    pub fn evaluate_all_tasks(
        &mut self,
        position: &Position,
        settings: &SearchSettings,
    ) -> Result<Evaluation, SearchError> {
        self.search(position, settings, Wanted::Costs)
    }

    fn search(
        &mut self,
        position: &Position,
        settings: &SearchSettings,
        wanted: Wanted,
    ) -> Result<Evaluation, SearchError> {
        self.search += 1;
        let mut tree = self.tree(position, settings)?;
        let mut evaluation = self.nothing_yet(&tree);
        let mut jobs = self.push(&tree, settings, wanted);
        let ended = self.collect(&mut tree, &mut jobs, &mut evaluation, wanted);
        if ended.is_err() {
            jobs.into_keys().for_each(|job| _ = self.dispatcher.cancel(job));
        }
        ended?;
        let costs = tree.tasks().iter().zip(&evaluation.costs);
        self.costs = costs.filter_map(|(task, cost)| Some((task.position, (*cost)?))).collect();
        Ok(evaluation)
    }

    fn nothing_yet(&self, tree: &TaskTree) -> Evaluation {
        let ranks = self.dispatcher.workers().max().map_or(1, |last| last + 1);
        Evaluation {
            values: Vec::new(),
            task_depth: tree.task_depth,
            tasks: tree.tasks().len(),
            computed: vec![0; ranks],
            calls: 0,
            costs: vec![None; tree.tasks().len()],
            cpu: vec![Duration::ZERO; ranks],
        }
    }

    /// Hands out the tasks of a search, the costly ones first where their costs are known; returns their jobs.
    fn push(&mut self, tree: &TaskTree, settings: &SearchSettings, wanted: Wanted) -> HashMap<JobId, usize> {
        let is_wanted = |&task: &usize| wanted == Wanted::Costs || tree.is_open(task);
        let mut order: Vec<usize> = (0..tree.tasks().len()).filter(is_wanted).collect();
        order.sort_by_key(|&task| std::cmp::Reverse(self.costs.get(&tree.tasks()[task].position).copied()));
        let SearchSettings { depth, method, .. } = *settings;
        let search = self.search;
        let push = |index: usize| {
            let question = Question::new(&tree.tasks()[index], search, method, depth);
            (self.dispatcher.push(&Job::Average(question)), index)
        };
        order.into_iter().map(push).collect()
    }

    fn collect(
        &mut self,
        tree: &mut TaskTree,
        jobs: &mut HashMap<JobId, usize>,
        evaluation: &mut Evaluation,
        wanted: Wanted,
    ) -> Result<(), SearchError> {
        loop {
            if let Some(values) = tree.values().filter(|_| wanted == Wanted::Values || jobs.is_empty()) {
                evaluation.values = values;
                return Ok(());
            }
            if !(self.is_wanted)() {
                return Err(SearchError::Stopped);
            }
            let Some(event) = self.dispatcher.next_event(Deadline::after(POLL_EVERY))? else { continue };
            // The answers to older questions come late.
            let Some((job, rank, answer)) = self.result(event)? else { continue };
            let Some(index) = jobs.remove(&job) else { continue };
            let answer = average(rank, answer)?;
            evaluation.add(index, rank, &answer);
            if tree.store(index, answer.value) && wanted == Wanted::Values {
                for (job, _) in jobs.extract_if(|_, index| !tree.is_open(*index)) {
                    self.dispatcher.cancel(job);
                }
            }
        }
    }

    /// Returns a result; notes other events.
    fn result(&self, event: Event<Reply>) -> Result<Option<(JobId, usize, Reply)>, SearchError> {
        match event {
            Event::Result { job, rank, answer } => return Ok(Some((job, rank, answer))),
            Event::Unexpected { rank, reason } => return Err(SearchError::Protocol { rank, what: reason }),
            Event::Left { rank, reason: Some(reason) } => {
                (self.note)(&format!("rank {rank} is lost ({reason}): the others do its tasks"));
            }
            Event::Undelivered(reason) => (self.note)(&format!("a message to a rank is lost: {reason}")),
            Event::Left { reason: None, .. } | Event::Partial { .. } | Event::Message { .. } => {}
        }
        Ok(None)
    }

    fn tree(&self, position: &Position, settings: &SearchSettings) -> Result<TaskTree, DepthError> {
        if let Some(task_depth) = settings.task_depth {
            return TaskTree::new(position, settings.depth, task_depth);
        }
        let wanted = TASKS_PER_THREAD * self.threads * self.dispatcher.workers().count().min(self.ranks);
        let mut task_depth = 1;
        loop {
            let tree = TaskTree::new(position, settings.depth, task_depth)?;
            if tree.tasks().len() >= wanted || task_depth >= settings.depth || tree.tasks().is_empty() {
                return Ok(tree);
            }
            task_depth += 1;
        }
    }
}

fn average(rank: usize, answer: Reply) -> Result<Answer, SearchError> {
    if let Reply::Average(answer) = answer { Ok(answer) } else { Err(SearchError::another_kind(rank)) }
}
