use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use crate::deadline::Deadline;
use crate::message::{Filter, Inbox, Message, Tag, WorldError, check_sendable};
use crate::world::World;

/// A world whose ranks are threads of this process.
#[derive(Debug)]
pub struct ThreadWorld {
    shared: Arc<Shared>,
    rank: usize,
    inbox: Inbox,
}

#[derive(Debug)]
struct Shared {
    ranks: Vec<Rank>,
    /// Which rank aborted the job, and with which status.
    aborted: OnceLock<(usize, u8)>,
}

#[derive(Debug, Default)]
struct Rank {
    mail: Mutex<Mail>,
    arrived: Condvar,
    is_gone: AtomicBool,
}

#[derive(Debug, Default)]
struct Mail {
    messages: VecDeque<Message>,
    /// A rank has ended, or the job was aborted.
    has_changed: bool,
}

impl ThreadWorld {
    /// Returns the ranks of a new world, in their order, to be used from any threads, or from one.
    #[must_use]
    pub fn connect(size: usize) -> Vec<Self> {
        let ranks = (0..size).map(|_| Rank::default()).collect();
        let shared = Arc::new(Shared { ranks, aborted: OnceLock::new() });
        (0..size).map(|rank| Self { shared: Arc::clone(&shared), rank, inbox: Inbox::default() }).collect()
    }

    /// Runs the same function on every rank, rank 0 on the calling thread, and returns what each returned. A rank that
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
        match self.shared.aborted.get() {
            Some(&(rank, status)) => Err(WorldError::Aborted { rank, status }),
            None => Ok(()),
        }
    }

    /// Takes in what has arrived.
    fn poll(&mut self) -> Result<(), WorldError> {
        self.check()?;
        let mut mail = self.shared.ranks[self.rank].mail();
        mail.has_changed = false;
        self.inbox.extend(mail.messages.drain(..));
        Ok(())
    }
}

impl Shared {
    /// Wakes all ranks, so that they look around.
    fn wake(&self) {
        for rank in &self.ranks {
            rank.mail().has_changed = true;
            rank.arrived.notify_all();
        }
    }
}

impl Rank {
    fn mail(&self) -> MutexGuard<'_, Mail> {
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
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
        let rank = &self.shared.ranks[to];
        if rank.is_gone.load(Ordering::Acquire) {
            return Err(WorldError::Gone(to));
        }
        rank.mail().messages.push_back(Message { from: self.rank, tag, bytes });
        rank.arrived.notify_one();
        Ok(())
    }

    fn try_receive(&mut self, filter: Filter) -> Result<Option<Message>, WorldError> {
        self.poll()?;
        Ok(self.inbox.take(filter))
    }

    fn try_probe(&mut self, filter: Filter) -> Result<Option<(usize, Tag, usize)>, WorldError> {
        self.poll()?;
        Ok(self.inbox.peek(filter).map(|message| (message.from, message.tag, message.bytes.len())))
    }

    fn wait(&mut self, deadline: Deadline) -> Result<(), WorldError> {
        let own = &self.shared.ranks[self.rank];
        let mut mail = own.mail();
        while mail.messages.is_empty() && !mail.has_changed {
            mail = match deadline.left() {
                None => own.arrived.wait(mail).unwrap_or_else(PoisonError::into_inner),
                Some(left) if left.is_zero() => break,
                Some(left) => own.arrived.wait_timeout(mail, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
        drop(mail);
        self.check()
    }

    fn unsent(&mut self) -> Result<usize, WorldError> {
        self.check().map(|()| 0)
    }

    fn is_gone(&mut self, rank: usize) -> bool {
        self.shared.ranks.get(rank).is_none_or(|rank| rank.is_gone.load(Ordering::Acquire))
    }

    fn abort(&mut self, status: u8) -> WorldError {
        let &(rank, status) = self.shared.aborted.get_or_init(|| (self.rank, status));
        self.shared.wake();
        WorldError::Aborted { rank, status }
    }
}

impl Drop for ThreadWorld {
    fn drop(&mut self) {
        self.shared.ranks[self.rank].is_gone.store(true, Ordering::Release);
        self.shared.wake();
    }
}
