use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::deadline::{Backoff, Deadline};
use crate::jobs::compute::{Compute, Done};
use crate::jobs::frame::{JobId, ToDispatcher, ToWorker};
use crate::jobs::peer::{Peer, State};
use crate::jobs::{Dismissal, JOBS_TAG, Options, SHORTEST_NAP, Timeouts};
use crate::message::{Filter, WorldError};
use crate::world::World;

/// How often to look for silent workers while one may be silent.
const LOOKS: u32 = 8;

/// How long messages may take to leave at the end.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Rank 0's side: hands out jobs to all other ranks, and to threads of its own where it works too.
#[derive(Debug)]
pub struct Dispatcher<W> {
    world: W,
    timeouts: Timeouts,
    peers: Vec<Peer>,
    compute: Option<Compute>,
    backoff: Backoff,
    /// All jobs that are not finished.
    jobs: BTreeMap<JobId, Vec<u8>>,
    /// Those that nobody has.
    waiting: BTreeSet<JobId>,
    next: u64,
    events: VecDeque<Event>,
    is_stopping: bool,
    spoken: Instant,
    looked: Instant,
    checked: Instant,
}

/// What has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A job is finished.
    Result {
        /// The job.
        job: JobId,
        /// Who did it.
        rank: usize,
        /// What came of it.
        bytes: Vec<u8>,
    },
    /// A job goes on, and this has come of it so far.
    Partial {
        /// The job.
        job: JobId,
        /// Who does it.
        rank: usize,
        /// What came of it.
        bytes: Vec<u8>,
    },
    /// A worker says something of the caller's.
    Message {
        /// The worker.
        rank: usize,
        /// What it says.
        bytes: Vec<u8>,
    },
    /// A worker does no more jobs.
    Left {
        /// The worker.
        rank: usize,
        /// Why; none when it was told to stop.
        reason: Option<String>,
    },
    /// A message did not reach its rank; in words.
    Undelivered(String),
}

/// Says that nobody is left who could do a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no rank is left that works")]
pub struct NobodyLeft;

impl<W: World> Dispatcher<W> {
    /// Hands out jobs to the other ranks, which run a [`Worker`](crate::jobs::Worker); this rank does none itself.
    pub fn new(world: W, options: &Options) -> Self {
        Self::with(world, options, None)
    }

    pub(super) fn with(world: W, options: &Options, compute: Option<Compute>) -> Self {
        let (own, in_hand) = (world.rank(), (options.threads * options.in_hand).max(1));
        let works = |&rank: &usize| rank != own || compute.is_some();
        Self {
            peers: (0..world.size()).filter(works).map(|rank| Peer::new(rank, in_hand)).collect(),
            world,
            timeouts: options.timeouts,
            compute,
            backoff: Backoff::default(),
            jobs: BTreeMap::new(),
            waiting: BTreeSet::new(),
            next: 0,
            events: VecDeque::new(),
            is_stopping: false,
            spoken: Instant::now(),
            looked: Instant::now(),
            checked: Instant::now(),
        }
    }

    /// Returns the ranks that do jobs.
    pub fn workers(&self) -> impl Iterator<Item = usize> {
        self.peers.iter().filter(|peer| peer.is_here()).map(|peer| peer.rank)
    }

    /// Returns how many jobs are not finished.
    pub fn unfinished(&self) -> usize {
        self.jobs.len()
    }

    /// Returns how many more jobs could be handed out at once.
    pub fn room(&self) -> usize {
        let room: usize = self.peers.iter().map(Peer::room).sum();
        room.saturating_sub(self.waiting.len())
    }

    /// Adds a job. Older ones are handed out first.
    pub fn push(&mut self, bytes: Vec<u8>) -> JobId {
        let id = JobId(self.next);
        self.next += 1;
        self.jobs.insert(id, bytes);
        self.waiting.insert(id);
        self.hand_out();
        id
    }

    /// Says what is left of a job, in case it must be handed out again.
    pub fn replace(&mut self, id: JobId, bytes: Vec<u8>) {
        if let Some(job) = self.jobs.get_mut(&id) {
            *job = bytes;
        }
    }

    /// Forgets a job: no event tells of it any more. Returns whether it was unfinished.
    pub fn cancel(&mut self, id: JobId) -> bool {
        let was_unfinished = self.jobs.remove(&id).is_some();
        self.waiting.remove(&id);
        if let Some(index) = self.peers.iter().position(|peer| peer.jobs.contains_key(&id)) {
            self.peers[index].jobs.remove(&id);
            self.say(index, &ToWorker::Cancel(id));
            self.hand_out();
        }
        was_unfinished
    }

    /// Forgets all jobs.
    pub fn cancel_all(&mut self) {
        self.waiting.clear();
        while let Some(id) = self.jobs.keys().next().copied() {
            self.cancel(id);
        }
    }

    /// Sets how many jobs a worker has in hand.
    pub fn set_in_hand(&mut self, rank: usize, in_hand: usize) {
        if let Some(peer) = self.peers.iter_mut().find(|peer| peer.rank == rank) {
            peer.in_hand = in_hand;
        }
        self.hand_out();
    }

    /// Says something of the caller's to a worker.
    pub fn tell(&mut self, rank: usize, bytes: Vec<u8>) {
        if let Some(index) = self.peers.iter().position(|peer| peer.rank == rank) {
            self.say(index, &ToWorker::Message(bytes));
        }
    }

    /// Takes a worker for lost, for a reason of the caller's.
    pub fn give_up(&mut self, rank: usize, reason: &str) {
        if let Some(index) = self.peers.iter().position(|peer| peer.rank == rank) {
            self.lose(index, reason);
        }
    }

    /// Lets the workers end after the jobs that they are at. Results of these still come.
    pub fn stop(&mut self) {
        if self.is_stopping {
            return;
        }
        self.is_stopping = true;
        self.waiting.clear();
        for index in 0..self.peers.len() {
            if self.peers[index].is_here() {
                self.say(index, &ToWorker::Stop);
            }
        }
    }

    /// Waits for the next event; none before the deadline.
    ///
    /// # Errors
    /// When no worker is left, and all events have been told.
    pub fn next_event(&mut self, deadline: Deadline) -> Result<Option<Event>, NobodyLeft> {
        loop {
            let has_news = self.look();
            if let Some(event) = self.events.pop_front() {
                return Ok(Some(event));
            }
            if self.workers().next().is_none() {
                return Err(NobodyLeft);
            }
            if deadline.is_over() {
                return Ok(None);
            }
            if has_news {
                self.backoff.reset();
            } else {
                self.rest(deadline);
            }
        }
    }

    /// Ends the job for all workers, and says how to leave it. What they are at is dropped.
    pub fn dismiss(mut self) -> (W, Dismissal) {
        self.compute = None;
        let own = self.world.rank();
        let is_whole = |peers: &[Peer]| peers.iter().all(|peer| peer.rank == own || peer.state != State::Lost);
        let is_idle = self.peers.iter().all(|peer| peer.rank == own || peer.jobs.is_empty());
        let dismissal = |is_whole| if is_whole { Dismissal::Together } else { Dismissal::Scattered };
        let told = dismissal(is_idle && is_whole(&self.peers));
        for index in 0..self.peers.len() {
            self.say(index, &ToWorker::End(told));
        }
        let sent = self.world.flush(Deadline::after(LAST_WORDS));
        // Somebody may have been lost by now.
        let left = dismissal(told == Dismissal::Together && sent.is_ok() && is_whole(&self.peers));
        (self.world, left)
    }

    /// Takes in what has arrived; tells whether anything has.
    fn look(&mut self) -> bool {
        self.keep_in_touch();
        let mut has_news = false;
        loop {
            match self.world.try_receive(Filter::ANY.with_tag(JOBS_TAG)) {
                Ok(None) => break,
                Ok(Some(message)) => {
                    has_news = true;
                    if let Some(index) = self.peers.iter().position(|peer| peer.rank == message.from) {
                        self.hear(index, &message.bytes);
                    }
                }
                Err(error) => {
                    let own = self.world.rank();
                    for index in 0..self.peers.len() {
                        if self.peers[index].rank != own {
                            self.lose(index, &error.to_string());
                        }
                    }
                    has_news = true;
                    break;
                }
            }
        }
        has_news |= self.finish_all_own();
        self.part_from_gone();
        has_news
    }

    /// Takes ranks for lost that have ended, once they have been heard out.
    fn part_from_gone(&mut self) {
        for index in 0..self.peers.len() {
            let rank = self.peers[index].rank;
            if self.peers[index].is_here() && rank != self.world.rank() && self.world.is_gone(rank) {
                match self.world.try_probe(Filter::ANY.sent_by(rank).with_tag(JOBS_TAG)) {
                    Ok(Some(_)) => {}
                    _ => self.lose(index, "it has ended"),
                }
            }
        }
    }

    fn finish_own(&mut self, (id, result): Done) {
        let own = self.world.rank();
        let Some(index) = self.peers.iter().position(|peer| peer.rank == own) else { return };
        match result {
            Ok(bytes) => self.hear(index, &ToDispatcher::Result(id, bytes).encode()),
            // Whoever is cancelled may return anything.
            Err(_) if !self.peers[index].jobs.contains_key(&id) => {}
            Err(reason) => self.hear(index, &ToDispatcher::Failed(reason).encode()),
        }
        self.end_own_when_done();
    }

    /// Takes in what threads of this rank have done; tells whether that is anything.
    fn finish_all_own(&mut self) -> bool {
        let mut has_news = false;
        while let Some(done) = self.compute.as_ref().and_then(|compute| compute.done.try_recv().ok()) {
            has_news = true;
            self.finish_own(done);
        }
        has_news
    }

    fn end_own_when_done(&mut self) {
        let own = self.world.rank();
        if let Some(index) = self.peers.iter().position(|peer| peer.rank == own)
            && self.is_stopping
            && self.peers[index].jobs.is_empty()
        {
            self.end(index, State::Done, None);
        }
    }

    fn hear(&mut self, index: usize, bytes: &[u8]) {
        let peer = &mut self.peers[index];
        let rank = peer.rank;
        // Its jobs are done by others; what it says now comes too late.
        if peer.state == State::Lost {
            return;
        }
        peer.heard = Instant::now();
        match ToDispatcher::decode(bytes) {
            Ok(ToDispatcher::Alive(ids)) => {
                for id in ids {
                    if let Some(mentioned) = peer.jobs.get_mut(&id) {
                        *mentioned = Instant::now();
                    }
                }
            }
            Ok(ToDispatcher::Message(bytes)) => self.events.push_back(Event::Message { rank, bytes }),
            Ok(ToDispatcher::Partial(job, bytes)) => {
                if let Some(mentioned) = peer.jobs.get_mut(&job) {
                    *mentioned = Instant::now();
                    self.events.push_back(Event::Partial { job, rank, bytes });
                }
            }
            Ok(ToDispatcher::Result(job, bytes)) => {
                if peer.jobs.remove(&job).is_some() {
                    self.jobs.remove(&job);
                    self.events.push_back(Event::Result { job, rank, bytes });
                    self.hand_out();
                }
            }
            Ok(ToDispatcher::Bye) => self.end(index, State::Done, None),
            Ok(ToDispatcher::Failed(reason)) => self.end(index, State::Done, Some(reason)),
            Err(reason) => self.lose(index, &reason),
        }
    }

    /// Says that we live, looks who does not, and sends again what workers do not seem to have.
    fn keep_in_touch(&mut self) {
        let Timeouts { alive_every, lost_after } = self.timeouts;
        // A caller that was busy has not listened: what others said meanwhile is still to be heard.
        if self.looked.elapsed() >= lost_after / 4 {
            self.peers.iter_mut().for_each(Peer::excuse);
        }
        self.looked = Instant::now();
        let own = self.world.rank();
        if self.spoken.elapsed() >= alive_every {
            self.spoken = Instant::now();
            for index in 0..self.peers.len() {
                match self.peers[index].state {
                    // It may not have heard it.
                    State::Here if self.is_stopping => self.say(index, &ToWorker::Stop),
                    State::Here | State::Done => self.say(index, &ToWorker::Alive),
                    State::Lost => {}
                }
            }
        }
        if self.checked.elapsed() >= lost_after / LOOKS {
            self.checked = Instant::now();
            self.check_silent();
        }
        if self.peers.iter().any(|peer| peer.rank != own)
            && let Err(error) = self.world.unsent()
            // An abort is noticed by whoever receives.
            && !matches!(error, WorldError::Aborted { .. })
        {
            self.events.push_back(Event::Undelivered(error.to_string()));
        }
    }

    fn check_silent(&mut self) {
        let (own, lost_after) = (self.world.rank(), self.timeouts.lost_after);
        for index in 0..self.peers.len() {
            let peer = &mut self.peers[index];
            if peer.rank == own || !peer.is_here() {
                continue;
            }
            if peer.heard.elapsed() >= lost_after {
                self.lose(index, &format!("nothing was heard of it for {} s", lost_after.as_secs_f64()));
                continue;
            }
            let again: Vec<JobId> =
                peer.jobs.iter().filter(|(_, at)| at.elapsed() >= lost_after / 4).map(|(id, _)| *id).collect();
            for id in again {
                self.send_job(index, id);
            }
        }
    }

    fn say(&mut self, index: usize, message: &ToWorker) {
        let rank = self.peers[index].rank;
        if rank == self.world.rank() {
            self.do_here(message);
        } else if let Err(error) = self.world.send(rank, JOBS_TAG, message.encode()) {
            // Who has ended may have left messages, which are heard first.
            if error != WorldError::Gone(rank) {
                self.lose(index, &error.to_string());
            }
        }
    }

    fn do_here(&mut self, message: &ToWorker) {
        let Some(compute) = &self.compute else { return };
        match message {
            ToWorker::Job(id, bytes) => compute.push(*id, bytes.clone()),
            ToWorker::Cancel(id) => compute.cancel(*id),
            ToWorker::Stop => {
                let running = compute.drop_waiting();
                // What has just been done comes first.
                self.finish_all_own();
                let own = self.world.rank();
                if let Some(peer) = self.peers.iter_mut().find(|peer| peer.rank == own) {
                    peer.jobs.retain(|id, _| running.contains(id));
                }
                self.end_own_when_done();
            }
            ToWorker::Message(_) | ToWorker::Alive | ToWorker::End(_) => {}
        }
    }

    fn lose(&mut self, index: usize, reason: &str) {
        if self.peers[index].is_here() {
            self.end(index, State::Lost, Some(reason.to_owned()));
        } else {
            self.peers[index].state = State::Lost;
        }
    }

    /// Does without a worker from now on, and lets others have its jobs.
    fn end(&mut self, index: usize, state: State, reason: Option<String>) {
        let peer = &mut self.peers[index];
        if !peer.is_here() {
            return;
        }
        peer.state = state;
        let jobs = std::mem::take(&mut peer.jobs);
        self.events.push_back(Event::Left { rank: peer.rank, reason });
        if !self.is_stopping {
            self.waiting.extend(jobs.into_keys());
            self.hand_out();
        }
    }

    fn hand_out(&mut self) {
        while !self.is_stopping
            && let Some(index) = (0..self.peers.len()).max_by_key(|&index| self.peers[index].room())
            && self.peers[index].room() > 0
            && let Some(id) = self.waiting.pop_first()
        {
            self.send_job(index, id);
        }
    }

    fn send_job(&mut self, index: usize, id: JobId) {
        let Some(bytes) = self.jobs.get(&id) else { return };
        let message = ToWorker::Job(id, bytes.clone());
        self.peers[index].jobs.insert(id, Instant::now());
        self.say(index, &message);
    }

    /// Sleeps until something may have happened.
    fn rest(&mut self, deadline: Deadline) {
        let Timeouts { alive_every, lost_after } = self.timeouts;
        // Well before it would look as if the caller had been busy.
        let until = deadline.min(Deadline::after(alive_every.min(lost_after / LOOKS)));
        let own = self.world.rank();
        let is_alone = self.peers.iter().all(|peer| peer.rank == own);
        let Some(compute) = &self.compute else {
            // An aborted world is noticed at the next look.
            let _ = self.world.wait(until);
            return;
        };
        let done = if is_alone {
            compute.done.recv_timeout(until.left().unwrap_or(alive_every)).ok()
        } else if compute.is_idle() {
            // The last one may have come meanwhile.
            let done = compute.done.try_recv().ok();
            if done.is_none() {
                let _ = self.world.wait(until);
            }
            done
        } else {
            let nap = self.backoff.next_nap().max(SHORTEST_NAP).min(until.left().unwrap_or(alive_every));
            compute.done.recv_timeout(nap).ok()
        };
        if let Some(done) = done {
            self.backoff.reset();
            self.finish_own(done);
        }
    }
}
