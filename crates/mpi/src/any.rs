use std::ops::{Deref, DerefMut};

use crate::jobs::Dismissal;
use crate::message::WorldError;
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
    pub fn alone() -> Self {
        Self::Threads(ThreadWorld::connect(1).pop().expect("one rank"))
    }

    /// Separates from the other ranks after their jobs.
    pub fn part(self, dismissal: Dismissal) -> Result<(), WorldError> {
        match self {
            Self::Threads(_) => Ok(()),
            Self::Mpi(world) => world.part(dismissal),
        }
    }
}

impl Deref for AnyWorld {
    type Target = dyn World;

    fn deref(&self) -> &(dyn World + 'static) {
        match self {
            Self::Threads(world) => world,
            Self::Mpi(world) => world,
        }
    }
}

impl DerefMut for AnyWorld {
    fn deref_mut(&mut self) -> &mut (dyn World + 'static) {
        match self {
            Self::Threads(world) => world,
            Self::Mpi(world) => world,
        }
    }
}
