//! Events and ladders on the ranks of an MPI job.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use amazons_mpi::jobs::Timeouts;
use amazons_mpi::{MpiWorld, Start, World as _};
use amazons_program::Interrupt;
use anyhow::Context;

use crate::cli::RunArgs;
use crate::command::Exit;
use crate::command::threads::{crowded, on_this_machine, show};
use crate::complain;
use crate::tournament::ladder::OpenLadder;
use crate::tournament::ranks::{Left, RankPool, serve};
use crate::tournament::{Plan, RunOptions, Workers};

/// The other ranks of our job.
pub(super) type Ranks = RankPool<MpiWorld>;

/// Leads, with the other ranks if there are some; elsewhere than at rank 0, plays what it hands out.
pub(super) fn with_ranks(
    args: RunArgs,
    lead: impl FnOnce(Option<&mut Ranks>) -> anyhow::Result<Exit>,
) -> anyhow::Result<Exit> {
    match MpiWorld::start() {
        Start::Alone => lead(None),
        Start::Joined(world) if world.rank() > 0 => work(world),
        Start::Joined(world) => {
            let games = args.concurrency.map_or(1, |number| number.get() as usize);
            let mut pool = RankPool::assemble(world, games, Timeouts::default());
            let led = lead(Some(&mut pool));
            // Only now: a launcher may end everybody when the first rank leaves.
            let (world, dismissal) = pool.dismiss();
            drop(world.part(dismissal));
            led
        }
        Start::Unable { rank, .. } if rank > 0 => Ok(Exit::Success),
        Start::Unable { reason, .. } => {
            complain(&format!("{reason}: rank 0 plays by threads on its machine, the others do nothing"));
            lead(None)
        }
    }
}

/// Plays what rank 0 hands out.
fn work(mut world: MpiWorld) -> anyhow::Result<Exit> {
    let interrupts = Interrupt::catch_all().context("cannot catch Ctrl-C")?;
    match serve(&mut world, &interrupts, Timeouts::default()) {
        // The work is done; if a library fails to end, its launcher says so.
        Ok(Left::Dismissed(dismissal)) => drop(world.part(dismissal)),
        Ok(Left::Interrupted) => {
            complain(&format!("rank {} drops its games", world.rank()));
            return Ok(Exit::Stopped);
        }
        Err(reason) => anyhow::bail!("rank {}: {reason}", world.rank()),
    }
    // Rank 0 reports failures; its status is that of the job.
    Ok(Exit::Success)
}

/// Refuses machines on which games would have to share cores.
pub(super) fn check_room(pool: &Ranks, args: RunArgs, threads: usize) -> anyhow::Result<()> {
    match pool.crowded(threads).filter(|_| !args.force) {
        Some(found) => {
            Err(crowded(format_args!("{found} (start fewer ranks there, or name a smaller --concurrency)")).into())
        }
        None => Ok(()),
    }
}

/// Sends a plan and its folder to the ranks.
pub(super) fn begin(pool: &mut Ranks, plan: &Arc<Plan>, folder: &Path) -> anyhow::Result<()> {
    let folder = fs::canonicalize(folder).with_context(|| format!("cannot look at {}", folder.display()))?;
    pool.begin(plan, &folder);
    Ok(())
}

/// Decides where the games of a ladder are played, and returns the ranks that do so, if there are some.
pub(super) fn where_to_play<'a>(
    args: RunArgs,
    open: &OpenLadder,
    ranks: Option<&'a mut Ranks>,
) -> anyhow::Result<(RunOptions, Option<&'a mut dyn Workers>)> {
    let plan = open.event.plan().with(Vec::new());
    let Some(pool) = ranks else { return Ok((on_this_machine(args, plan.threads())?, None)) };
    check_room(pool, args, plan.threads())?;
    begin(pool, &Arc::new(plan), &open.folder)?;
    let (concurrency, cores) = pool.strength();
    // Each rank knows its own; here they are only counted.
    let cores = (0..cores).collect();
    Ok((RunOptions { concurrency, cores, show: show(args.quiet) }, Some(pool)))
}
