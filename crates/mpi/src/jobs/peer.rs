use std::collections::BTreeMap;
use std::time::Instant;

use crate::jobs::JobId;

/// A worker, as the dispatcher sees it.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) rank: usize,
    pub(super) state: State,
    /// Its jobs, and when each was last sent to it or mentioned by it.
    pub(super) jobs: BTreeMap<JobId, Instant>,
    /// How many jobs it should have.
    pub(super) in_hand: usize,
    pub(super) heard: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Here,
    /// It has said its last word.
    Done,
    /// It says nothing any more.
    Lost,
}

impl Peer {
    pub(super) fn new(rank: usize, in_hand: usize) -> Self {
        Self { rank, state: State::Here, jobs: BTreeMap::new(), in_hand, heard: Instant::now() }
    }

    pub(super) fn is_here(&self) -> bool {
        self.state == State::Here
    }

    /// Returns how many more jobs it should have.
    pub(super) fn room(&self) -> usize {
        if self.is_here() { self.in_hand.saturating_sub(self.jobs.len()) } else { 0 }
    }

    /// Notes that it has been heard, with its jobs, just now.
    pub(super) fn excuse(&mut self) {
        self.heard = Instant::now();
        self.jobs.values_mut().for_each(|mentioned| *mentioned = Instant::now());
    }
}
