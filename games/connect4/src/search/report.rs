//! The searches that others are compared with: one process without jobs, and the policy of the report.

use std::collections::HashMap;
use std::time::Duration;

use amazons_mpi::{Deadline, World};

use super::{Computer, Evaluation, POLL_EVERY, SearchError, SearchSettings, Searcher, average};
use crate::average::Value;
use crate::jobs::{Job, Method, Question};
use crate::{Position, TaskTree};

/// Searches a game that goes on, on one thread and without jobs: the values of all columns for the side to move, and
/// the calls.
pub fn alone(
    computer: &Computer,
    position: &Position,
    depth: u32,
    method: Method,
    search: u32,
    is_wanted: &dyn Fn() -> bool,
) -> Result<(Vec<(u32, Value)>, u64), SearchError> {
    let mut tree = TaskTree::new(position, depth, 1)?;
    let mut calls = 0;
    for index in 0..tree.tasks().len() {
        let answer = computer.answer(&Question::new(&tree.tasks()[index], search, method, depth), is_wanted);
        if !is_wanted() {
            return Err(SearchError::Stopped);
        }
        calls += answer.calls;
        tree.store(index, answer.value);
    }
    Ok((tree.values().expect("every task is done"), calls))
}

impl<W: World> Searcher<'_, W> {
    /// Evaluates all columns by the policy of the report, for comparison: each worker has one task at a time; rank 0
    /// stores a result that waits, or else computes a whole task itself. No task is cancelled.
    pub fn evaluate_as_reported(
        &mut self,
        computer: &Computer,
        position: &Position,
        settings: &SearchSettings,
    ) -> Result<Evaluation, SearchError> {
        let (ranks, workers) = (self.ranks, self.dispatcher.workers().collect::<Vec<_>>());
        for rank in workers {
            self.dispatcher.set_in_hand(rank, usize::from(rank != 0 && rank < ranks));
        }
        let evaluation = self.follow_report(computer, position, settings);
        self.dispatcher.cancel_all();
        self.use_ranks(ranks);
        evaluation
    }

    fn follow_report(
        &mut self,
        computer: &Computer,
        position: &Position,
        settings: &SearchSettings,
    ) -> Result<Evaluation, SearchError> {
        self.search += 1;
        let mut tree = self.tree(position, settings)?;
        let mut evaluation = self.nothing_yet(&tree);
        let (mut next, mut jobs) = (0, HashMap::new());
        let question = |tree: &TaskTree, index: usize, search| {
            Question::new(&tree.tasks()[index], search, settings.method, settings.depth)
        };
        loop {
            while next < tree.tasks().len() && self.dispatcher.room() > 0 {
                jobs.insert(self.dispatcher.push(&Job::Average(question(&tree, next, self.search))), next);
                next += 1;
            }
            if !(self.is_wanted)() {
                return Err(SearchError::Stopped);
            }
            let all_given = next == tree.tasks().len();
            if all_given && jobs.is_empty() {
                break;
            }
            let patience = if all_given { POLL_EVERY } else { Duration::ZERO };
            let (index, rank, answer) = match self.dispatcher.next_event(Deadline::after(patience))? {
                Some(event) => {
                    let Some((job, rank, answer)) = self.result(event)? else { continue };
                    let Some(index) = jobs.remove(&job) else { continue };
                    (index, rank, average(rank, answer)?)
                }
                None if all_given => continue,
                None => {
                    next += 1;
                    (next - 1, 0, computer.answer(&question(&tree, next - 1, self.search), self.is_wanted))
                }
            };
            evaluation.add(index, rank, &answer);
            tree.store(index, answer.value);
        }
        evaluation.values = tree.values().expect("every task is done");
        Ok(evaluation)
    }
}
