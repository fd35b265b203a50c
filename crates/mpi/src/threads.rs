use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;

use crate::deadline::{Backoff, Deadline};
use crate::message::{Message, Tag, WorldError, check_sendable};
use crate::world::World;

/// A world whose ranks are threads of this process.
#[derive(Debug)]
pub struct ThreadWorld {
    shared: Arc<Shared>,
    rank: usize,
    mail: Receiver<Mail>,
    inbox: VecDeque<Message>,
    backoff: Backoff,
}

/// A message, or a wake-up: a rank has ended, or the job was aborted.
type Mail = Option<Message>;

#[derive(Debug)]
struct Shared {
    ranks: Vec<Rank>,
    /// The first abort.
    aborted: OnceLock<WorldError>,
}

#[derive(Debug)]
struct Rank {
    mail: Sender<Mail>,
    is_gone: AtomicBool,
}

impl ThreadWorld {
    /// Returns the ranks of a new world in order, for use from any threads.
    pub fn connect(size: usize) -> Vec<Self> {
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..size).map(|_| channel()).unzip();
        let ranks = senders.into_iter().map(|mail| Rank { mail, is_gone: AtomicBool::new(false) }).collect();
        let shared = Arc::new(Shared { ranks, aborted: OnceLock::new() });
        let world = |(rank, mail)| {
            let (shared, inbox, backoff) = (Arc::clone(&shared), VecDeque::new(), Backoff::default());
            Self { shared, rank, mail, inbox, backoff }
        };
        receivers.into_iter().enumerate().map(world).collect()
    }

    /// Returns a world of two ranks.
    pub(crate) fn pair() -> (Self, Self) {
        let mut worlds = Self::connect(2);
        let second = worlds.remove(1);
        (worlds.remove(0), second)
    }

    /// Runs the same function on every rank, rank 0 on the calling thread, and returns all results. A rank that
    /// panicked is an `Err`, as for [`std::thread::JoinHandle::join`]; the others see that it is gone.
    pub fn run<T: Send>(size: usize, work: impl Fn(&mut Self) -> T + Sync) -> Vec<thread::Result<T>> {
        let work = &work;
        let run = move |mut world: Self| catch_unwind(AssertUnwindSafe(|| work(&mut world)));
        let mut worlds = Self::connect(size).into_iter();
        let Some(first) = worlds.next() else { return Vec::new() };
        thread::scope(|scope| {
            let others: Vec<_> = worlds.map(|world| scope.spawn(move || run(world))).collect();
            let mut results = vec![run(first)];
            results.extend(others.into_iter().map(|other| other.join().and_then(|result| result)));
            results
        })
    }

    fn check(&self) -> Result<(), WorldError> {
        self.shared.aborted.get().map_or(Ok(()), |error| Err(error.clone()))
    }

    /// Wakes all ranks to check for changes.
    fn wake_all(&self) {
        for rank in &self.shared.ranks {
            // A rank that has ended needs no wake-up.
            let _ = rank.mail.send(None);
        }
    }
}

impl World for ThreadWorld {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.shared.ranks.len()
    }

    fn send(&mut self, to: usize, tag: Tag, bytes: Vec<u8>) -> Result<(), WorldError> {
        self.check()?;
        check_sendable(self.size(), to, &bytes)?;
        if self.is_gone(to) {
            return Err(WorldError::Gone(to));
        }
        let message = Message { from: self.rank, tag, bytes };
        // Answers come soon.
        self.backoff.reset();
        self.shared.ranks[to].mail.send(Some(message)).map_err(|_| WorldError::Gone(to))
    }

    fn arrived(&mut self) -> Result<&mut VecDeque<Message>, WorldError> {
        self.check()?;
        let before = self.inbox.len();
        self.inbox.extend(self.mail.try_iter().flatten());
        if self.inbox.len() > before {
            self.backoff.reset();
        }
        Ok(&mut self.inbox)
    }

    fn wait(&mut self, deadline: Deadline) -> Result<(), WorldError> {
        // To sleep and to wake takes longer than most answers.
        if self.backoff.next_nap().is_zero() {
            thread::yield_now();
            return self.check();
        }
        let mail = match deadline.left() {
            None => self.mail.recv().ok(),
            Some(left) => self.mail.recv_timeout(left).ok(),
        };
        self.inbox.extend(mail.flatten());
        self.check()
    }

    fn unsent(&mut self) -> Result<usize, WorldError> {
        self.check().map(|()| 0)
    }

    fn is_gone(&mut self, rank: usize) -> bool {
        self.shared.ranks.get(rank).is_none_or(|rank| rank.is_gone.load(Ordering::Acquire))
    }

    fn abort(&mut self, status: u8) -> WorldError {
        let aborted = WorldError::Aborted { rank: self.rank, status };
        let first = self.shared.aborted.get_or_init(|| aborted).clone();
        self.wake_all();
        first
    }
}

impl Drop for ThreadWorld {
    fn drop(&mut self) {
        self.shared.ranks[self.rank].is_gone.store(true, Ordering::Release);
        self.wake_all();
    }
}
