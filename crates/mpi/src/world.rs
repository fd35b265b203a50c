use std::env;
use std::ffi::{OsString, c_int};
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use crate::launch::Launch;
use crate::library;
use crate::ranks::Communicator;

/// No message is longer, in bytes.
pub const MESSAGE_MAX: usize = 1 << 30;

/// Names the library, where that of the launcher has another name or is not found.
const LIBRARY: &str = "AMAZONS_MPI";

static IS_BEGUN: AtomicBool = AtomicBool::new(false);

/// Says why there is no talking to the other ranks.
#[derive(Debug, Error)]
pub enum MpiError {
    /// No library can be used.
    #[error("cannot use its MPI library ({0}): install it, or set {LIBRARY} to its file")]
    Library(String),
    /// This process has begun already.
    #[error("a process can join an MPI job only once")]
    Twice,
    /// The library refuses something.
    #[error("{0}")]
    Call(String),
    /// There is no such rank, or the message is too long.
    #[error("no message of {len} bytes can be sent to rank {to}")]
    Message {
        /// The rank.
        to: usize,
        /// How long the message is.
        len: usize,
    },
}

/// All ranks of this process's job.
pub struct World {
    ranks: Box<dyn Communicator>,
    rank: usize,
    size: usize,
    /// It stays on its thread.
    _here: PhantomData<Rc<()>>,
}

impl World {
    /// Opens the library of a launcher, or that which `AMAZONS_MPI` names, and joins its job.
    ///
    /// # Errors
    /// When there is no such library, it fails, or this process has joined before.
    pub fn join(launch: &Launch) -> Result<Self, MpiError> {
        if IS_BEGUN.swap(true, Ordering::Relaxed) {
            return Err(MpiError::Twice);
        }
        let named = env::var_os(LIBRARY).filter(|name| !name.is_empty());
        let names =
            named.map_or_else(|| launch.launcher.libraries().iter().map(OsString::from).collect(), |name| vec![name]);
        let ranks = library::begin(&names).map_err(MpiError::Library)?;
        let (rank, size) = (ranks.rank().map_err(MpiError::Call)?, ranks.size().map_err(MpiError::Call)?);
        Ok(Self { ranks, rank, size, _here: PhantomData })
    }

    /// Returns which rank this is, from 0.
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// Returns how many ranks there are.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Sends a message without waiting until it is sent.
    ///
    /// # Errors
    /// When there is no such rank, the message is longer than [`MESSAGE_MAX`], or the library fails.
    pub fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), MpiError> {
        let refused = MpiError::Message { to, len: bytes.len() };
        match c_int::try_from(to) {
            Ok(number) if to < self.size && bytes.len() <= MESSAGE_MAX => {
                self.ranks.send(number, bytes.into_boxed_slice()).map_err(MpiError::Call)
            }
            _ => Err(refused),
        }
    }

    /// Lets messages get on, and returns how many are not sent yet.
    ///
    /// # Errors
    /// When one cannot be sent; it counts no more.
    pub fn unsent(&mut self) -> Result<usize, MpiError> {
        self.ranks.unsent().map_err(MpiError::Call)
    }

    /// Returns the next message that has arrived, and the rank that it is from.
    ///
    /// # Errors
    /// When the library fails.
    pub fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, MpiError> {
        self.ranks.receive().map_err(MpiError::Call)
    }

    /// Leaves the job, once all other ranks do so too.
    ///
    /// # Errors
    /// When the library fails.
    pub fn leave(self) -> Result<(), MpiError> {
        self.ranks.finish().map_err(MpiError::Call)
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("rank", &self.rank).field("size", &self.size).finish_non_exhaustive()
    }
}
