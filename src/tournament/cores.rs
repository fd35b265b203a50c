//! Which cores games run on.

use std::{io, thread};

pub use amazons_mpi::{allowed_processors, one_of_each, physical_cores};
use rustix::thread::{CpuSet, sched_setaffinity};

/// Returns how many games to play at a time: one for each core, or for as many as each player has threads; no more than
/// a container's share of the processors.
pub fn usual_concurrency(cores: usize, threads: usize) -> usize {
    let share = thread::available_parallelism().map_or(cores, usize::from);
    (cores.min(share) / threads.max(1)).max(1)
}

/// Keeps the calling thread, and the processes that it starts, on one processor.
pub fn stay_on(cpu: usize) -> io::Result<()> {
    let mut set = CpuSet::new();
    set.set(cpu);
    Ok(sched_setaffinity(None, &set)?)
}
