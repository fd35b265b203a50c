use amazons_mpi::Launch;

/// Returns whether this process is rank 0, or the only one: it alone reads and prints.
pub fn is_first() -> bool {
    Launch::from_env().is_none_or(|launch| launch.rank == 0)
}
