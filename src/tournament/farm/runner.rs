use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use crate::tournament::farm::message::{from_bytes, to_bytes};
use crate::tournament::farm::seating::neighbours;
use crate::tournament::farm::{Begin, Crowded, Hello, ToRunner, ToWorker, Wire, seating};
use crate::tournament::{GameLine, Histogram, Job, Message, Plan, Workers};

/// How often one looks for messages: at first, and after nothing has come for a while.
pub(super) const NAPS: [Duration; 2] = [Duration::from_micros(500), Duration::from_millis(10)];

/// Games shorter than this are over before the next pair could arrive: a worker then has pairs in advance.
const QUICK: Duration = Duration::from_millis(50);

/// How long messages may take to leave at the end.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How long ranks put up with silence.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// How often each says that it lives.
    pub alive_every: Duration,
    /// Whoever says nothing for so long is lost.
    pub lost_after: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { alive_every: Duration::from_secs(2), lost_after: Duration::from_secs(60) }
    }
}

/// How a job is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dismissal {
    /// All ranks are there to leave together.
    Together,
    /// Some are lost: MPI would wait for them for ever.
    Scattered,
}

/// The workers of an event on other ranks, as the runner sees them.
#[derive(Debug)]
pub struct Farm<W> {
    wire: W,
    hands: Vec<Hand>,
    patience: Patience,
    games: usize,
    /// Pairs that nobody has.
    waiting: VecDeque<Job>,
    news: VecDeque<Message>,
    is_stopping: bool,
    /// Why the last worker that failed did so.
    trouble: Option<String>,
    spoken: Instant,
    looked: Instant,
}

/// A worker; rank 1 comes first.
#[derive(Debug)]
struct Hand {
    hello: Option<Hello>,
    state: State,
    jobs: Vec<Job>,
    heard: Instant,
    is_quick: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Here,
    /// It has said its last word.
    Done,
    /// It says nothing any more.
    Lost,
}

impl<W: Wire> Farm<W> {
    /// Waits until all workers have said where they are, each to play so many games at a time.
    pub fn assemble(wire: W, games: usize, patience: Patience) -> Self {
        let hand =
            |_| Hand { hello: None, state: State::Here, jobs: Vec::new(), heard: Instant::now(), is_quick: false };
        let mut farm = Self {
            hands: (1..wire.size()).map(hand).collect(),
            wire,
            patience,
            games,
            waiting: VecDeque::new(),
            news: VecDeque::new(),
            is_stopping: false,
            trouble: None,
            spoken: Instant::now(),
            looked: Instant::now(),
        };
        while farm.hands.iter().any(|hand| hand.hello.is_none() && hand.state == State::Here) {
            if !farm.look() {
                thread::sleep(NAPS[0]);
            }
        }
        farm
    }

    /// Returns where the workers are that can play.
    fn hellos(&self) -> (Vec<usize>, Vec<Hello>) {
        let here = self.hands.iter().enumerate().filter(|(_, hand)| hand.state == State::Here);
        here.filter_map(|(index, hand)| Some((index, hand.hello.clone()?))).unzip()
    }

    /// Returns a machine on which games would have to share cores, if there is one.
    #[must_use]
    pub fn crowded(&self, threads: usize) -> Option<Crowded> {
        seating(&self.hellos().1, self.games, threads).1
    }

    /// Tells the workers of the event; its folder must be absolute.
    pub fn begin(&mut self, plan: &Arc<Plan>, folder: &Path) {
        let (indices, hellos) = self.hellos();
        let (seats, _) = seating(&hellos, self.games, plan.threads());
        for ((index, cores), ranks) in indices.into_iter().zip(seats).zip(neighbours(&hellos)) {
            let begin = Begin {
                plan: Plan::clone(plan),
                folder: folder.to_owned(),
                games: self.games,
                // Players with threads move between the cores that their rank may use.
                cores: if plan.threads() == 1 { cores } else { Vec::new() },
                games_of_machine: self.games * ranks,
            };
            self.say(index, &ToWorker::Begin(Box::new(begin)));
        }
    }

    /// Returns how many games at a time all workers play, and on how many cores.
    #[must_use]
    pub fn strength(&self) -> (usize, usize) {
        let (indices, hellos) = self.hellos();
        let (seats, _) = seating(&hellos, self.games, 1);
        let mut cores: Vec<(&str, usize)> = hellos
            .iter()
            .zip(&seats)
            .flat_map(|(hello, cores)| cores.iter().map(|&core| (hello.machine.as_str(), core)))
            .collect();
        cores.sort_unstable();
        cores.dedup();
        (indices.len() * self.games, cores.len())
    }

    /// Ends the job for all workers, and says how to leave it. Games that still run are dropped, by somebody who does not
    /// want to wait any more.
    pub fn dismiss(mut self) -> (W, Dismissal) {
        let is_whole = self.hands.iter().all(|hand| hand.state != State::Lost && hand.jobs.is_empty());
        for index in 0..self.hands.len() {
            self.say(index, &ToWorker::End { together: is_whole });
        }
        let until = Instant::now() + LAST_WORDS;
        while self.wire.unsent().is_ok_and(|unsent| unsent > 0) && Instant::now() < until {
            thread::sleep(NAPS[0]);
        }
        // Somebody may have been lost by now.
        let is_whole = is_whole && self.hands.iter().all(|hand| hand.state != State::Lost);
        (self.wire, if is_whole { Dismissal::Together } else { Dismissal::Scattered })
    }

    /// Takes in what has arrived; tells whether anything has.
    fn look(&mut self) -> bool {
        self.keep_in_touch();
        let mut has_news = false;
        loop {
            match self.wire.receive() {
                Ok(None) => return has_news,
                Ok(Some((rank, bytes))) => {
                    has_news = true;
                    if let Some(index) = rank.checked_sub(1).filter(|&index| index < self.hands.len()) {
                        self.hear(index, &bytes);
                    }
                }
                Err(reason) => {
                    for index in 0..self.hands.len() {
                        self.lose(index, &reason);
                    }
                    return true;
                }
            }
        }
    }

    fn hear(&mut self, index: usize, bytes: &[u8]) {
        let hand = &mut self.hands[index];
        // Its pairs are played by others; what it says now comes too late.
        if hand.state == State::Lost {
            return;
        }
        hand.heard = Instant::now();
        match from_bytes(bytes) {
            Ok(ToRunner::Hello(hello)) => hand.hello = Some(hello),
            Ok(ToRunner::Alive) => {}
            Ok(ToRunner::Game(line, overhead)) => self.take(index, line, overhead),
            Ok(ToRunner::Bye) => {
                hand.state = State::Done;
                self.release(index);
            }
            Ok(ToRunner::Failed(reason)) => {
                hand.state = State::Done;
                self.give_up(index, &reason);
            }
            Err(reason) => self.lose(index, &reason),
        }
    }

    fn take(&mut self, index: usize, line: Box<GameLine>, overhead: Histogram) {
        let hand = &mut self.hands[index];
        let Some(at) = hand.jobs.iter().position(|job| job.pair.number == line.pair) else { return };
        hand.is_quick = Duration::from_micros(line.wall_us) < QUICK;
        if let Some(is_wanted) = hand.jobs[at].games.get_mut(usize::from(line.game).wrapping_sub(1)) {
            *is_wanted = false;
        }
        if hand.jobs[at].games == [false; 2] {
            hand.jobs.remove(at);
        }
        self.news.push_back(Message::Game(line, overhead));
        self.hand_out();
    }

    /// Says that we live, and looks who does not.
    fn keep_in_touch(&mut self) {
        let Patience { alive_every, lost_after } = self.patience;
        // Who was busy with files has not listened: what others said meanwhile is still to be heard.
        if self.looked.elapsed() >= lost_after / 4 {
            self.hands.iter_mut().for_each(|hand| hand.heard = Instant::now());
        }
        self.looked = Instant::now();
        if self.spoken.elapsed() >= alive_every {
            self.spoken = Instant::now();
            for index in 0..self.hands.len() {
                if self.hands[index].state != State::Lost {
                    self.say(index, &ToWorker::Alive);
                }
            }
        }
        for index in 0..self.hands.len() {
            let hand = &self.hands[index];
            if hand.state == State::Here && hand.heard.elapsed() >= lost_after {
                self.lose(index, &format!("nothing was heard of it for {} s", lost_after.as_secs_f64()));
            }
        }
        if let Err(reason) = self.wire.unsent() {
            self.news.push_back(Message::Note(format!("a message to a rank is lost: {reason}")));
        }
    }

    fn say(&mut self, index: usize, message: &ToWorker) {
        let sent = to_bytes(message).and_then(|bytes| self.wire.send(index + 1, bytes));
        if let Err(reason) = sent {
            self.lose(index, &reason);
        }
    }

    fn lose(&mut self, index: usize, reason: &str) {
        let before = std::mem::replace(&mut self.hands[index].state, State::Lost);
        if before == State::Here {
            self.give_up(index, reason);
        }
    }

    /// Does without a worker that can play no more, and says so.
    fn give_up(&mut self, index: usize, reason: &str) {
        let host = self.hands[index].hello.as_ref().map_or("a machine", |hello| &hello.host);
        let reason = format!("rank {} on {host} plays no more: {reason}", index + 1);
        self.news.push_back(Message::Note(reason.clone()));
        self.trouble = Some(reason);
        self.release(index);
    }

    /// Lets others have the pairs of a worker.
    fn release(&mut self, index: usize) {
        let jobs = std::mem::take(&mut self.hands[index].jobs);
        if !self.is_stopping {
            self.waiting.extend(jobs);
            self.hand_out();
        }
        // Who was told to stop owes nothing: what it had not finished is played when the event goes on.
        if !self.is_stopping
            && self.hands.iter().all(|hand| hand.state != State::Here)
            && let Some(reason) = self.trouble.take()
        {
            self.news.push_back(Message::Failed(format!("no rank is left that plays; {reason}")));
        }
    }

    /// Returns how many more pairs a worker should have.
    fn room_of(&self, index: usize) -> usize {
        let hand = &self.hands[index];
        if hand.state != State::Here {
            return 0;
        }
        let wanted = if hand.is_quick { 3 * self.games } else { self.games };
        wanted.saturating_sub(hand.jobs.len())
    }

    fn hand_out(&mut self) {
        while let Some(index) = (0..self.hands.len()).max_by_key(|&index| self.room_of(index))
            && self.room_of(index) > 0
            && let Some(job) = self.waiting.pop_front()
        {
            self.hands[index].jobs.push(job);
            self.say(index, &ToWorker::Play(job));
        }
    }
}

impl<W: Wire> Workers for Farm<W> {
    fn room(&self) -> usize {
        let room: usize = (0..self.hands.len()).map(|index| self.room_of(index)).sum();
        room.saturating_sub(self.waiting.len())
    }

    fn push(&mut self, job: Job) {
        self.waiting.push_back(job);
        self.hand_out();
    }

    fn stop(&mut self) {
        if self.is_stopping {
            return;
        }
        self.is_stopping = true;
        self.waiting.clear();
        for index in 0..self.hands.len() {
            if self.hands[index].state == State::Here {
                self.say(index, &ToWorker::Stop);
            }
        }
    }

    fn message(&mut self, patience: Duration) -> Result<Message, RecvTimeoutError> {
        let until = Instant::now() + patience;
        let mut nap = NAPS[0];
        loop {
            let has_news = self.look();
            if let Some(message) = self.news.pop_front() {
                return Ok(message);
            }
            if self.hands.iter().all(|hand| hand.state != State::Here) {
                return Err(RecvTimeoutError::Disconnected);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(RecvTimeoutError::Timeout);
            }
            if !has_news {
                thread::sleep(nap.min(left));
                nap = (nap * 2).min(NAPS[1]);
            }
        }
    }
}
