use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::marker::PhantomData;
use std::mem;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::codec::{Payload, decode, encode};
use crate::deadline::{Backoff, Deadline};
use crate::jobs::frame::{JobId, ToLeader, ToWorker};
use crate::jobs::{Dismissal, JOBS_TAG, MIN_SLEEP, Options, Timeouts};
use crate::message::{Filter, Message, WorldError};
use crate::threads::ThreadWorld;
use crate::world::World;

/// Checks for silent workers in the time after which one counts as lost.
const CHECKS_PER_TIMEOUT: u32 = 8;

/// The time limit for sending the last messages.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// Rank 0's side: hands out jobs `J` to all other ranks, and to its own threads if it works too, which answer by `A`.
#[derive(Debug)]
pub struct Dispatcher<W, J, A, M = ()> {
    world: W,
    /// The connection to this rank's own worker, if it works too; there the worker is rank 1.
    own_worker: Option<ThreadWorld>,
    timeouts: Timeouts,
    /// The ranks in order.
    peers: Vec<Peer>,
    backoff: Backoff,
    /// The messages that hand out the unfinished jobs.
    jobs: BTreeMap<JobId, Vec<u8>>,
    /// Those that no worker has.
    waiting: BTreeSet<JobId>,
    next: u64,
    events: VecDeque<Event<A, M>>,
    is_stopping: bool,
    last_heartbeat: Instant,
    last_checked: Instant,
    job_type: PhantomData<fn(J)>,
}

/// A worker, as the dispatcher sees it.
#[derive(Debug)]
struct Peer {
    state: State,
    /// Its jobs, and when each was last sent to it or listed by it.
    jobs: BTreeMap<JobId, Instant>,
    /// How many jobs it should have in hand.
    in_hand: usize,
    last_received: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Active,
    /// It does no more jobs, or never did any.
    Finished,
    /// It is silent.
    Lost,
}

/// An event of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event<A, M = ()> {
    /// A job is finished.
    Result {
        /// The job.
        job: JobId,
        /// The rank that did it.
        rank: usize,
        /// Its result.
        answer: A,
    },
    /// A worker reports progress on a job.
    Partial {
        /// The job.
        job: JobId,
        /// The rank that does it.
        rank: usize,
        /// The report.
        answer: A,
    },
    /// A message from the caller's code.
    Message {
        /// The rank that sent it.
        rank: usize,
        /// The message.
        message: M,
    },
    /// A worker does no more jobs.
    Left {
        /// The worker.
        rank: usize,
        /// The reason; `None` if it was asked to stop.
        reason: Option<String>,
    },
    /// A message did not reach its rank, for this reason.
    Undelivered(String),
    /// A rank sent something else than answers to such jobs; it counts as lost.
    Unexpected {
        /// The rank that sent it.
        rank: usize,
        /// The reason.
        reason: String,
    },
}

/// No rank is left to do jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no rank is left that works")]
pub struct NobodyLeft;

impl Peer {
    fn is_active(&self) -> bool {
        self.state == State::Active
    }

    /// Returns how many more jobs it should have.
    fn room(&self) -> usize {
        if self.is_active() { self.in_hand.saturating_sub(self.jobs.len()) } else { 0 }
    }

    /// Notes that it has a job.
    fn mention(&mut self, id: JobId) -> bool {
        self.jobs.get_mut(&id).map(|at| *at = Instant::now()).is_some()
    }
}

impl<W: World, J: Payload, A: Payload, M: Payload> Dispatcher<W, J, A, M> {
    /// Hands out jobs to the other ranks, each running a [`Worker`](crate::jobs::Worker); this rank does none itself.
    pub fn new(world: W, options: &Options) -> Self {
        let (own, now, in_hand) = (world.rank(), Instant::now(), (options.threads * options.in_hand).max(1));
        let state = |rank| if rank == own { State::Finished } else { State::Active };
        let peer = |rank| Peer { state: state(rank), jobs: BTreeMap::new(), in_hand, last_received: now };
        Self {
            peers: (0..world.size()).map(peer).collect(),
            world,
            own_worker: None,
            timeouts: options.timeouts,
            backoff: Backoff::default(),
            jobs: BTreeMap::new(),
            waiting: BTreeSet::new(),
            next: 0,
            events: VecDeque::new(),
            is_stopping: false,
            last_heartbeat: now,
            last_checked: now,
            job_type: PhantomData,
        }
    }

    /// Hands out jobs to this rank too; its worker serves the returned world.
    pub(super) fn employ_own_rank(&mut self) -> ThreadWorld {
        let (here, worker) = ThreadWorld::pair();
        self.own_worker = Some(here);
        let own = self.world.rank();
        self.peers[own].state = State::Active;
        worker
    }

    /// Returns this rank's view of the world.
    pub const fn world(&self) -> &W {
        &self.world
    }

    /// Returns the ranks that do jobs.
    pub fn workers(&self) -> impl Iterator<Item = usize> {
        self.peers.iter().enumerate().filter(|(_, peer)| peer.is_active()).map(|(rank, _)| rank)
    }

    /// Returns how many jobs are not finished.
    pub fn unfinished(&self) -> usize {
        self.jobs.len()
    }

    /// Returns how many more jobs could be handed out now.
    pub fn room(&self) -> usize {
        let room: usize = self.peers.iter().map(Peer::room).sum();
        room.saturating_sub(self.waiting.len())
    }

    /// Adds a job. Older ones are handed out first. No rank can do a job that cannot be written, and all of them leave.
    pub fn push(&mut self, job: &J) -> JobId {
        let id = JobId(self.next);
        self.next += 1;
        self.jobs.insert(id, Vec::new());
        self.replace(id, job);
        self.waiting.insert(id);
        self.hand_out();
        id
    }

    /// Replaces a job by its remaining part, in case it must be handed out again.
    pub fn replace(&mut self, id: JobId, job: &J) {
        let Some(message) = self.jobs.get_mut(&id) else { return };
        match encode(&ToWorker::<&J, M>::Job(id, job)) {
            Ok(bytes) => *message = bytes,
            Err(error) => {
                let ranks: Vec<usize> = self.workers().collect();
                ranks.into_iter().for_each(|rank| self.end(rank, State::Finished, Some(error.to_string())));
            }
        }
    }

    /// Forgets a job: no further event mentions it. Returns whether it was unfinished.
    pub fn cancel(&mut self, id: JobId) -> bool {
        let was_unfinished = self.jobs.remove(&id).is_some();
        self.waiting.remove(&id);
        if let Some(rank) = self.peers.iter_mut().position(|peer| peer.jobs.remove(&id).is_some()) {
            self.send(rank, &ToWorker::Cancel(id));
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
        if let Some(peer) = self.peers.get_mut(rank) {
            peer.in_hand = in_hand;
        }
        self.hand_out();
    }

    /// Sends a message of the caller to a worker.
    pub fn tell(&mut self, rank: usize, message: M) {
        if rank < self.peers.len() {
            self.send(rank, &ToWorker::Message(message));
        }
    }

    /// Declares a worker lost, for the caller's reason.
    pub fn give_up(&mut self, rank: usize, reason: &str) {
        if rank < self.peers.len() {
            self.lose(rank, reason);
        }
    }

    /// Lets the workers end after the jobs they have begun; those results still arrive.
    pub fn stop(&mut self) {
        if !mem::replace(&mut self.is_stopping, true) {
            self.waiting.clear();
            let ranks: Vec<usize> = self.workers().collect();
            ranks.into_iter().for_each(|rank| self.send(rank, &ToWorker::Stop));
        }
    }

    /// Waits for the next event; `None` after the deadline. Fails when no worker is left, after all events.
    pub fn next_event(&mut self, deadline: Deadline) -> Result<Option<Event<A, M>>, NobodyLeft> {
        loop {
            let has_news = self.check();
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

    /// Ends the session for all workers and returns how to leave it. Running jobs are dropped.
    pub fn dismiss(mut self) -> (W, Dismissal) {
        let dismissal = |is_whole| if is_whole { Dismissal::Together } else { Dismissal::Scattered };
        let is_idle = self.others().all(|rank| self.peers[rank].jobs.is_empty());
        let told = dismissal(is_idle && self.is_whole());
        for rank in 0..self.peers.len() {
            self.send(rank, &ToWorker::End(told));
        }
        let sent = self.world.flush(Deadline::after(FLUSH_TIMEOUT));
        // A rank may be lost by now.
        let left = dismissal(told == Dismissal::Together && sent.is_ok() && self.is_whole());
        (self.world, left)
    }

    fn others(&self) -> impl Iterator<Item = usize> + use<W, J, A, M> {
        let own = self.world.rank();
        (0..self.peers.len()).filter(move |&rank| rank != own)
    }

    fn is_whole(&self) -> bool {
        self.others().all(|rank| self.peers[rank].state != State::Lost)
    }

    /// Handles what has arrived; returns whether anything has.
    fn check(&mut self) -> bool {
        self.keep_in_touch();
        let mut has_news = false;
        loop {
            match self.next_message() {
                Ok(None) => break,
                Ok(Some(message)) => self.receive(message.from, &message.bytes),
                Err(error) => {
                    self.others().for_each(|rank| self.lose(rank, &error.to_string()));
                    return true;
                }
            }
            has_news = true;
        }
        // Ranks that have ended count as lost only after their last messages.
        for rank in self.others() {
            if self.peers[rank].is_active()
                && self.world.is_gone(rank)
                && !matches!(self.world.try_probe(Filter::ANY.sent_by(rank).with_tag(JOBS_TAG)), Ok(Some(_)))
            {
                self.lose(rank, "it has ended");
            }
        }
        has_news
    }

    fn next_message(&mut self) -> Result<Option<Message>, WorldError> {
        let filter = Filter::ANY.with_tag(JOBS_TAG);
        if let Some(own) = &mut self.own_worker
            && let Some(message) = own.try_receive(filter)?
        {
            return Ok(Some(Message { from: self.world.rank(), ..message }));
        }
        self.world.try_receive(filter)
    }

    fn receive(&mut self, rank: usize, bytes: &[u8]) {
        let Some(peer) = self.peers.get_mut(rank) else { return };
        // Other workers do a lost worker's jobs; its messages come too late.
        if peer.state == State::Lost {
            return;
        }
        peer.last_received = Instant::now();
        match decode(bytes) {
            Ok(ToLeader::Heartbeat(ids)) => ids.into_iter().for_each(|id| _ = peer.mention(id)),
            Ok(ToLeader::Message(message)) => self.events.push_back(Event::Message { rank, message }),
            Ok(ToLeader::Partial(job, answer)) => {
                if peer.mention(job) {
                    self.events.push_back(Event::Partial { job, rank, answer });
                }
            }
            Ok(ToLeader::Result(job, answer)) => {
                if peer.jobs.remove(&job).is_some() {
                    self.jobs.remove(&job);
                    self.events.push_back(Event::Result { job, rank, answer });
                    self.hand_out();
                }
            }
            Ok(ToLeader::Bye) => self.end(rank, State::Finished, None),
            Ok(ToLeader::Failed(reason)) => self.end(rank, State::Finished, Some(reason)),
            Err(error) => {
                let reason = error.to_string();
                self.events.push_back(Event::Unexpected { rank, reason: reason.clone() });
                self.lose(rank, &reason);
            }
        }
    }

    /// Sends heartbeats, looks for silent workers, and resends jobs that workers seem not to have.
    fn keep_in_touch(&mut self) {
        let Timeouts { alive_every, lost_after } = self.timeouts;
        let now = Instant::now();
        // A busy caller has not listened: messages from that time are still unread.
        if now - self.last_checked >= lost_after / 4 {
            for peer in &mut self.peers {
                peer.last_received = now;
                peer.jobs.values_mut().for_each(|mentioned| *mentioned = now);
            }
        }
        self.last_checked = now;
        if now - self.last_heartbeat >= alive_every {
            self.last_heartbeat = now;
            for rank in self.others() {
                match self.peers[rank].state {
                    // Its stop may have been lost.
                    State::Active if self.is_stopping => self.send(rank, &ToWorker::Stop),
                    State::Active | State::Finished => self.send(rank, &ToWorker::Heartbeat),
                    State::Lost => {}
                }
            }
        }
        for rank in self.others() {
            let peer = &self.peers[rank];
            if peer.is_active() && now - peer.last_received >= lost_after {
                self.lose(rank, &format!("nothing was heard of it for {} s", lost_after.as_secs_f64()));
            } else if peer.is_active() {
                let unheard = peer.jobs.iter().filter(|(_, mentioned)| now - **mentioned >= lost_after / 4);
                let again: Vec<JobId> = unheard.map(|(id, _)| *id).collect();
                again.into_iter().for_each(|id| self.send_job(rank, id));
            }
        }
        if self.peers.len() > 1
            && let Err(error) = self.world.unsent()
            // The next receive notices an abort.
            && !matches!(error, WorldError::Aborted { .. })
        {
            self.events.push_back(Event::Undelivered(error.to_string()));
        }
    }

    fn send(&mut self, rank: usize, message: &ToWorker<J, M>) {
        match encode(message) {
            Ok(bytes) => self.send_bytes(rank, bytes),
            Err(error) => self.lose(rank, &error.to_string()),
        }
    }

    fn send_bytes(&mut self, rank: usize, bytes: Vec<u8>) {
        if rank == self.world.rank() {
            if let Some(own) = &mut self.own_worker {
                // It ends with this session.
                let _ = own.send(1, JOBS_TAG, bytes);
            }
        } else if let Err(error) = self.world.send(rank, JOBS_TAG, bytes) {
            // Receive the last messages of an ended rank first.
            if error != WorldError::Gone(rank) {
                self.lose(rank, &error.to_string());
            }
        }
    }

    fn lose(&mut self, rank: usize, reason: &str) {
        if self.peers[rank].is_active() {
            self.end(rank, State::Lost, Some(reason.to_owned()));
        } else {
            self.peers[rank].state = State::Lost;
        }
    }

    /// Stops using a worker and gives its jobs to others.
    fn end(&mut self, rank: usize, state: State, reason: Option<String>) {
        let peer = &mut self.peers[rank];
        if !peer.is_active() {
            return;
        }
        peer.state = state;
        let jobs = mem::take(&mut peer.jobs);
        self.events.push_back(Event::Left { rank, reason });
        if !self.is_stopping {
            self.waiting.extend(jobs.into_keys());
            self.hand_out();
        }
    }

    fn hand_out(&mut self) {
        while !self.is_stopping
            && let Some((rank, peer)) = self.peers.iter().enumerate().max_by_key(|(_, peer)| peer.room())
            && peer.room() > 0
            && let Some(id) = self.waiting.pop_first()
        {
            self.send_job(rank, id);
        }
    }

    fn send_job(&mut self, rank: usize, id: JobId) {
        let Some(bytes) = self.jobs.get(&id).cloned() else { return };
        self.peers[rank].jobs.insert(id, Instant::now());
        self.send_bytes(rank, bytes);
    }

    /// Sleeps until something may have happened.
    fn rest(&mut self, deadline: Deadline) {
        let Timeouts { alive_every, lost_after } = self.timeouts;
        // Early enough not to look like a busy caller.
        let until = deadline.min(Deadline::after(alive_every.min(lost_after / CHECKS_PER_TIMEOUT)));
        let own = &self.peers[self.world.rank()];
        let may_report = own.is_active() && (self.is_stopping || !own.jobs.is_empty());
        // The next check notices an aborted world.
        let _ = match &mut self.own_worker {
            Some(worker) if self.peers.len() == 1 => worker.wait(until),
            Some(worker) if may_report => {
                let nap = self.backoff.next_nap().max(MIN_SLEEP);
                worker.wait(until.min(Deadline::after(nap)))
            }
            _ => self.world.wait(until),
        };
    }
}
