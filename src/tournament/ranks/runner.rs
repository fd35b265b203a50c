use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use amazons_mpi::jobs::{Dismissal, Dispatcher, Event, JobId, Options, Timeouts};
use amazons_mpi::{Deadline, Json, World};

use super::message::{Begin, Hello, Played, RankJob, SetUp};
use super::seating::{Crowded, neighbours, seating};
use crate::tournament::plan::Plan;
use crate::tournament::pool::{Message, PairJob, Workers};

/// Games shorter than this are over before the next pair could arrive: a worker then has pairs in advance.
const QUICK: Duration = Duration::from_millis(50);

/// The workers of an event or a ladder on other ranks, as the runner sees them.
#[derive(Debug)]
pub struct RankPool<W> {
    dispatcher: Dispatcher<W, RankJob, Played, SetUp>,
    hellos: BTreeMap<usize, Hello>,
    /// How many games at a time each rank plays.
    games: usize,
    /// The plan that the workers have.
    plan: Option<Arc<Plan>>,
    /// The unfinished parts of pairs.
    jobs: BTreeMap<JobId, RankJob>,
    news: VecDeque<Message>,
    is_stopping: bool,
    /// Why the last worker that failed did so.
    trouble: Option<String>,
}

impl<W: World> RankPool<W> {
    /// Waits for the first message of each worker, which is to play so many games at a time.
    pub fn assemble(world: W, games: usize, timeouts: Timeouts) -> Self {
        let options = Options { threads: games, in_hand: 1, leader_works: false, timeouts };
        let mut pool = Self {
            dispatcher: Dispatcher::new(world, &options),
            hellos: BTreeMap::new(),
            games,
            plan: None,
            jobs: BTreeMap::new(),
            news: VecDeque::new(),
            is_stopping: false,
            trouble: None,
        };
        while pool.dispatcher.workers().any(|rank| !pool.hellos.contains_key(&rank))
            && let Ok(event) = pool.dispatcher.next_event(Deadline::NEVER)
        {
            event.into_iter().for_each(|event| pool.handle(event));
        }
        pool
    }

    /// Returns the workers that can play, and their machines.
    fn hellos(&self) -> (Vec<usize>, Vec<Hello>) {
        self.dispatcher.workers().filter_map(|rank| Some((rank, self.hellos.get(&rank)?.clone()))).unzip()
    }

    /// Returns a machine on which games would have to share cores, if there is one.
    pub fn crowded(&self, threads: usize) -> Option<Crowded> {
        seating(&self.hellos().1, self.games, threads).1
    }

    /// Sends the event or the ladder to the workers; its folder must be absolute.
    pub fn begin(&mut self, plan: &Arc<Plan>, folder: &Path) {
        self.plan = Some(Arc::clone(plan));
        let (ranks, hellos) = self.hellos();
        let (seats, _) = seating(&hellos, self.games, plan.threads());
        for ((rank, cores), neighbours) in ranks.into_iter().zip(seats).zip(neighbours(&hellos)) {
            let begin = Begin {
                plan: Json(Plan::clone(plan)),
                folder: folder.to_owned(),
                games: self.games,
                // Players with threads move between the cores that their rank may use.
                cores: if plan.threads() == 1 { cores } else { Vec::new() },
                games_of_machine: self.games * neighbours,
            };
            self.dispatcher.tell(rank, SetUp::Begin(Box::new(begin)));
        }
    }

    /// Returns how many games at a time all workers play, and on how many cores.
    pub fn strength(&self) -> (usize, usize) {
        let (ranks, hellos) = self.hellos();
        let (seats, _) = seating(&hellos, self.games, 1);
        let mut cores: Vec<(&str, usize)> = hellos
            .iter()
            .zip(&seats)
            .flat_map(|(hello, cores)| cores.iter().map(|&core| (hello.machine.as_str(), core)))
            .collect();
        cores.sort_unstable();
        cores.dedup();
        (ranks.len() * self.games, cores.len())
    }

    /// Ends the job for all workers, drops games that still run, and returns how to leave the job.
    pub fn dismiss(self) -> (W, Dismissal) {
        self.dispatcher.dismiss()
    }

    fn handle(&mut self, event: Event<Played, SetUp>) {
        match event {
            Event::Message { rank, message: SetUp::Hello(hello) } => {
                self.hellos.insert(rank, hello);
            }
            Event::Message { rank, message: SetUp::Begin(_) } => {
                self.dispatcher.give_up(rank, "it sent what only a runner sends");
            }
            Event::Partial { job, rank, answer } => self.take(job, rank, answer),
            Event::Result { job, rank, answer } => {
                self.take(job, rank, answer);
                // A worker that is not finished after all loses what is left.
                if let Some(left) = self.jobs.remove(&job).filter(|left| left.pair.games.contains(&true)) {
                    self.hand_out(left);
                }
            }
            Event::Left { rank, reason } => self.do_without(rank, reason),
            // It leaves, and that is the next event.
            Event::Unexpected { .. } => {}
            Event::Undelivered(reason) => {
                self.news.push_back(Message::Note(format!("a message to a rank is lost: {reason}")));
            }
        }
    }

    fn hand_out(&mut self, job: RankJob) {
        self.jobs.insert(self.dispatcher.push(&job), job);
    }

    fn take(&mut self, id: JobId, rank: usize, Played(Json(line), overhead): Played) {
        let Some(job) = self.jobs.get_mut(&id) else { return };
        let game = usize::from(line.game).wrapping_sub(1);
        let PairJob { pair, games } = &mut job.pair;
        let Some(is_wanted) = games.get_mut(game).filter(|_| line.pair == pair.number) else {
            let reason = format!("it sent a game of pair {} for pair {}", line.pair, pair.number);
            return self.dispatcher.give_up(rank, &reason);
        };
        *is_wanted = false;
        self.dispatcher.replace(id, job);
        let is_quick = Duration::from_micros(line.wall_us) < QUICK;
        self.dispatcher.set_in_hand(rank, if is_quick { 3 * self.games } else { self.games });
        self.news.push_back(Message::Game(line, overhead));
    }

    /// Notes why a worker has left, unless it was told to.
    fn do_without(&mut self, rank: usize, reason: Option<String>) {
        if let Some(reason) = reason {
            let host = self.hellos.get(&rank).map_or("a machine", |hello| &hello.host);
            let reason = format!("rank {rank} on {host} plays no more: {reason}");
            self.news.push_back(Message::Note(reason.clone()));
            self.trouble = Some(reason);
        }
        // A worker that was told to stop owes nothing: its unfinished pairs are played when the event goes on.
        if !self.is_stopping
            && self.dispatcher.workers().next().is_none()
            && let Some(reason) = self.trouble.take()
        {
            self.news.push_back(Message::Failed(format!("no rank is left that plays; {reason}")));
        }
    }
}

impl<W: World> Workers for RankPool<W> {
    fn room(&self) -> usize {
        self.dispatcher.room()
    }

    fn push(&mut self, pair: PairJob, plan: &Arc<Plan>) {
        let is_known = self.plan.as_ref().is_some_and(|known| Arc::ptr_eq(known, plan));
        self.hand_out(RankJob { pair, plan: (!is_known).then(|| Json(Plan::clone(plan))) });
    }

    fn stop(&mut self) {
        self.is_stopping = true;
        self.dispatcher.stop();
    }

    fn message(&mut self, patience: Duration) -> Result<Message, RecvTimeoutError> {
        let deadline = Deadline::after(patience);
        loop {
            if let Some(message) = self.news.pop_front() {
                return Ok(message);
            }
            match self.dispatcher.next_event(deadline) {
                Ok(Some(event)) => self.handle(event),
                Ok(None) => return Err(RecvTimeoutError::Timeout),
                Err(_) => return Err(RecvTimeoutError::Disconnected),
            }
        }
    }
}
