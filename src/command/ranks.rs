//! A tournament on the ranks of an MPI job.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use amazons_mpi::jobs::Timeouts;
use amazons_mpi::{MpiWorld, World as _};
use amazons_program::Interrupt;
use anyhow::Context;

use crate::cli::EventArgs;
use crate::command::Exit;
use crate::command::event::{conclude, open};
use crate::command::threads::{crowded, show};
use crate::complain;
use crate::tournament::ranks::{Left, RankPool, serve};
use crate::tournament::{Ended, Histogram, Plan, run_with};

/// Plays what rank 0 hands out.
pub(super) fn work(mut world: MpiWorld) -> anyhow::Result<Exit> {
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

/// Hands out the pairs of an event to all other ranks.
pub(super) fn hand_out(
    world: MpiWorld,
    args: &EventArgs,
    event: Result<(Plan, PathBuf), Exit>,
    out: &mut impl Write,
) -> anyhow::Result<Exit> {
    let games = args.run.concurrency.map_or(1, |number| number.get() as usize);
    let mut pool = RankPool::assemble(world, games, Timeouts::default());
    let played =
        event.map_err(anyhow::Error::from).and_then(|(plan, folder)| play(&mut pool, args, plan, &folder, out));
    // Only now: a launcher may end everybody when the first rank leaves.
    let (world, dismissal) = pool.dismiss();
    drop(world.part(dismissal));
    played
}

fn play(
    pool: &mut RankPool<MpiWorld>,
    args: &EventArgs,
    plan: Plan,
    folder: &Path,
    out: &mut impl Write,
) -> anyhow::Result<Exit> {
    if let Some(found) = pool.crowded(plan.threads()).filter(|_| !args.run.force) {
        return Ok(crowded(format_args!("{found} (start fewer ranks there, or name a smaller --concurrency)")));
    }
    let (mut open, interrupts) = open(folder, plan)?;
    let played = if open.event.is_over() {
        Ok((Ended::Complete, Histogram::default()))
    } else {
        let (concurrency, cores) = pool.strength();
        open.begin(concurrency, cores)?;
        let folder = fs::canonicalize(folder).with_context(|| format!("cannot look at {}", folder.display()))?;
        pool.begin(open.event.plan(), &folder);
        run_with(&mut open, pool, show(args.run.quiet), &interrupts)
    };
    conclude(&open, played, out)
}
