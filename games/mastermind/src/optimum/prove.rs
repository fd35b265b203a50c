use std::time::Duration;

use amazons_mpi::World;
use amazons_mpi::jobs::{Dispatcher, ServeError, Task};

use super::job::{Job, Solved};
use super::leader::{Leader, Outcome, Progress};
use super::solver::Solver;

impl Solver {
    /// Does a job of [`prove`]; fails if it is not one for this game: then rank 0 runs another program.
    pub fn do_job(&self, task: Task<'_, Job>) -> Result<Solved, String> {
        self.do_timed_job(task, || Duration::ZERO)
    }

    /// Does a job of [`prove`], and tells rank 0 how long it took by this clock; see [`Progress::spent`].
    pub fn do_timed_job(&self, task: Task<'_, Job>, clock: impl Fn() -> Duration) -> Result<Solved, String> {
        let begun = clock();
        if !task.job.belongs_to(self.board.codes) {
            return Err(format!("rank 0 sent a job that is not one for {}", self.game()));
        }
        let solved = self.work(*task.job, &|| task.is_cancelled());
        Ok(Solved { spent: clock().saturating_sub(begun), ..solved })
    }
}

/// Proves the fewest guesses, or bounds if `is_stopped` says so before. Rank 0 calls this while all ranks do its jobs by
/// [`Solver::do_job`], with solvers for the same game and settings. Fails when no working rank is left.
///
/// ```
/// use amazons_mpi::{ThreadWorld, jobs};
/// use mastermind::optimum::{Settings, Solver, prove};
///
/// let outcomes = ThreadWorld::run(2, |world| {
///     let solver = Solver::new("3x4r".parse().unwrap(), Settings::default()).unwrap();
///     let work = |task: jobs::Task<_>| solver.do_job(task);
///     jobs::lead(world, &jobs::Options::default(), work, |ranks| {
///         prove(ranks, &solver, &|| false, &mut |_| ()).unwrap()
///     })
///     .unwrap()
///     .0
/// });
/// let optimum = outcomes[0].as_ref().unwrap().as_ref().unwrap();
/// assert_eq!((optimum.lower, optimum.upper), (206, Some(206)));
/// ```
pub fn prove<W: World>(
    ranks: &mut Dispatcher<W, Job, Solved>,
    solver: &Solver,
    is_stopped: &dyn Fn() -> bool,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Outcome, ServeError> {
    prove_again(0, ranks, solver, is_stopped, progress)
}

/// Like [`prove`], for solvers that may have proved something before: as run number `run` it uses nothing that other
/// runs remember, so it can be timed.
pub fn prove_again<W: World>(
    run: u32,
    ranks: &mut Dispatcher<W, Job, Solved>,
    solver: &Solver,
    is_stopped: &dyn Fn() -> bool,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Outcome, ServeError> {
    Leader::new(run, solver, ranks, is_stopped, progress).run()
}
