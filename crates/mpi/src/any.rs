use std::collections::VecDeque;

use crate::deadline::Deadline;
use crate::jobs::Dismissal;
use crate::message::{Message, Tag, WorldError};
use crate::mpi::MpiWorld;
use crate::threads::ThreadWorld;
use crate::world::World;

/// A world of either back-end, for programs that learn only at run time which one they have.
#[derive(Debug)]
pub enum AnyWorld {
    /// Ranks of this process.
    Threads(ThreadWorld),
    /// Processes of an MPI job.
    Mpi(MpiWorld),
}

impl AnyWorld {
    /// Returns a world of this process alone.
    ///
    /// # Panics
    /// Never: a world of one rank has a rank 0.
    #[must_use]
    pub fn alone() -> Self {
        Self::Threads(ThreadWorld::connect(1).pop().expect("one rank"))
    }

    /// Separates from the other ranks after their jobs.
    ///
    /// # Errors
    /// When the library fails.
    pub fn part(self, dismissal: Dismissal) -> Result<(), WorldError> {
        match self {
            Self::Threads(_) => Ok(()),
            Self::Mpi(world) => world.part(dismissal),
        }
    }

    fn inner(&self) -> &dyn World {
        match self {
            Self::Threads(world) => world,
            Self::Mpi(world) => world,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn World {
        match self {
            Self::Threads(world) => world,
            Self::Mpi(world) => world,
        }
    }
}

impl World for AnyWorld {
    fn rank(&self) -> usize {
        self.inner().rank()
    }

    fn size(&self) -> usize {
        self.inner().size()
    }

    fn send(&mut self, to: usize, tag: Tag, bytes: Vec<u8>) -> Result<(), WorldError> {
        self.inner_mut().send(to, tag, bytes)
    }

    fn arrived(&mut self) -> Result<&mut VecDeque<Message>, WorldError> {
        match self {
            Self::Threads(world) => world.arrived(),
            Self::Mpi(world) => world.arrived(),
        }
    }

    fn wait(&mut self, deadline: Deadline) -> Result<(), WorldError> {
        self.inner_mut().wait(deadline)
    }

    fn unsent(&mut self) -> Result<usize, WorldError> {
        self.inner_mut().unsent()
    }

    fn is_gone(&mut self, rank: usize) -> bool {
        self.inner_mut().is_gone(rank)
    }

    fn abort(&mut self, status: u8) -> WorldError {
        self.inner_mut().abort(status)
    }
}
