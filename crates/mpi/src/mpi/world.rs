use std::collections::VecDeque;
use std::env;
use std::ffi::{OsString, c_int};
use std::fmt;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::deadline::{Backoff, Deadline};
use crate::jobs::Dismissal;
use crate::message::{Message, Tag, WorldError, check_sendable};
use crate::mpi::communicator::Communicator;
use crate::mpi::error::JoinError;
use crate::mpi::launch::{Launch, Launcher};
use crate::mpi::library;
use crate::mpi::neighbours::{GREETING, Neighbours, greeting};
use crate::world::World;

/// Names the library if the launcher's has another name or is not found.
const LIBRARY: &str = "AMAZONS_MPI";

/// The time limit for sending the last messages.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How late a sleep may end, in nanoseconds.
const NAP_SLACK: NonZeroU64 = NonZeroU64::MIN;

static IS_BEGUN: AtomicBool = AtomicBool::new(false);

/// A world whose ranks are the processes of an MPI job. It stays on the thread that made it.
/// If all ranks do so, [`MpiWorld::leave`] ends it. Dropping it leaves the job silently, for when other ranks have
/// died.
pub struct MpiWorld {
    /// Not `Send`, as no communicator is.
    ranks: Box<dyn Communicator>,
    rank: usize,
    size: usize,
    inbox: VecDeque<Message>,
    neighbours: Neighbours,
    backoff: Backoff,
}

/// The start of a process that may be one of many.
#[derive(Debug)]
pub enum Start {
    /// There is no launcher, or this is its only rank.
    Alone,
    /// One of many, which can communicate.
    Joined(MpiWorld),
    /// One of many that cannot communicate: rank 0 may complain and go on alone, the others have nothing to do.
    Unable {
        /// Its number.
        rank: usize,
        /// The launcher, the number of ranks, and why they cannot communicate.
        reason: String,
    },
}

impl MpiWorld {
    /// Joins the job of the launcher in the environment, if there is one.
    pub fn start() -> Start {
        let Some(launch) = Launch::from_env().filter(|launch| launch.size > 1) else { return Start::Alone };
        match Self::join(&launch) {
            Ok(world) => Start::Joined(world),
            Err(error) => {
                let Launch { launcher, rank, size } = launch;
                let but = if matches!(error, JoinError::Mute) { "" } else { "but " };
                Start::Unable { rank, reason: format!("{launcher} started {size} ranks, {but}{error}") }
            }
        }
    }

    /// Separates from the other ranks after their jobs.
    pub fn part(self, dismissal: Dismissal) -> Result<(), WorldError> {
        match dismissal {
            Dismissal::Together => self.leave(),
            Dismissal::Scattered => Ok(()),
        }
    }

    /// Opens the library of a launcher, or the one that `AMAZONS_MPI` names, and joins its job. Fails when there is no
    /// such library, it fails, it belongs to another launcher, or this process has joined before.
    pub fn join(launch: &Launch) -> Result<Self, JoinError> {
        if launch.launcher == Launcher::Srun {
            return Err(JoinError::Mute);
        }
        if IS_BEGUN.swap(true, Ordering::Relaxed) {
            return Err(JoinError::Twice);
        }
        let named = env::var_os(LIBRARY).filter(|name| !name.is_empty());
        let names =
            named.map_or_else(|| launch.launcher.libraries().iter().map(OsString::from).collect(), |name| vec![name]);
        let ranks = library::begin(&names)?;
        let (rank, size) = ranks.rank_and_size()?;
        if size != launch.size {
            return Err(JoinError::Mismatch);
        }
        survive_others();
        // By default, Linux may wake a thread 50 us late, longer than most answers take.
        let _ = rustix::thread::set_current_timer_slack(Some(NAP_SLACK));
        let (neighbours, backoff) = (Neighbours::new(size), Backoff::default());
        let mut world = Self { ranks, rank, size, inbox: VecDeque::new(), neighbours, backoff };
        world.greet();
        Ok(world)
    }

    /// Lets rank 0 and the others know of each other's processes. Without it, only silence shows that one has ended.
    fn greet(&mut self) {
        let Some(greeting) = greeting() else { return };
        let others = if self.rank == 0 { 1..self.size } else { 0..1 };
        others.for_each(|to| _ = self.send(to, GREETING, greeting.clone()));
    }

    /// Leaves the job once all other ranks also do. Messages that nobody has received are dropped.
    pub fn leave(mut self) -> Result<(), WorldError> {
        // Libraries warn of sends and messages that are still open when they end. If this fails, ending may not.
        let _ = self.flush(Deadline::after(LAST_WORDS));
        let _ = self.arrived();
        Ok(self.ranks.finish()?)
    }
}

impl World for MpiWorld {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn send(&mut self, to: usize, tag: Tag, bytes: Vec<u8>) -> Result<(), WorldError> {
        check_sendable(self.size, to, &bytes)?;
        let Ok(number) = c_int::try_from(to) else { return Err(WorldError::Gone(to)) };
        // Answers come soon.
        self.backoff.reset();
        Ok(self.ranks.send(number, tag, bytes.into_boxed_slice())?)
    }

    fn arrived(&mut self) -> Result<&mut VecDeque<Message>, WorldError> {
        while let Some(message) = self.ranks.receive()? {
            self.backoff.reset();
            match message.tag {
                GREETING => self.neighbours.meet(&message),
                _ => self.inbox.push_back(message),
            }
        }
        Ok(&mut self.inbox)
    }

    fn wait(&mut self, deadline: Deadline) -> Result<(), WorldError> {
        // The library's own calls would burn a core.
        self.backoff.pause(deadline);
        Ok(())
    }

    fn unsent(&mut self) -> Result<usize, WorldError> {
        Ok(self.ranks.unsent()?)
    }

    fn is_gone(&mut self, rank: usize) -> bool {
        rank >= self.size || self.neighbours.is_gone(rank)
    }

    fn abort(&mut self, status: u8) -> WorldError {
        self.ranks.abort(status);
        WorldError::Aborted { rank: self.rank, status }
    }
}

impl fmt::Debug for MpiWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MpiWorld").field("rank", &self.rank).field("size", &self.size).finish_non_exhaustive()
    }
}

/// Survives the death of another rank: MPICH's launcher then sends `SIGUSR1`, which by default ends a process.
fn survive_others() {
    extern "C" fn stay(_: c_int) {}
    let handler: extern "C" fn(c_int) = stay;
    // SAFETY: the handler does nothing, so it may run at any time.
    let before = unsafe { libc::signal(libc::SIGUSR1, handler as libc::sighandler_t) };
    if before != libc::SIG_DFL && before != libc::SIG_ERR {
        // SAFETY: it was the handler until now.
        unsafe { libc::signal(libc::SIGUSR1, before) };
    }
}
