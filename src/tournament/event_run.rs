use std::sync::Arc;
use std::time::Duration;

use amazons_program::Interrupt;
use amazons_statistics::Score;

use super::derived::Derived;
use super::event::OpenEvent;
use super::identity::Identities;
use super::lock::FolderLock;
use super::overhead::Histogram;
use super::plan::{Format, Plan};
use super::pool::{PairJob, Pool, PoolConfig, Workers};
use super::progress::{Pace, Show};
use super::results::{GameLine, Results};
use super::runner::{Ended, RunOptions, play};
use super::source::{RunError, Source};
use crate::host::check_limits;

/// Plays what is left of an event on this machine, and returns how that ended and what the moves cost us. Fails when
/// the event cannot go on; running games are finished and kept as far as possible.
pub fn run(open: &mut OpenEvent, options: &RunOptions, interrupts: &Interrupt) -> Result<(Ended, Histogram), RunError> {
    if open.event.is_over() {
        return Ok((Ended::Complete, Histogram::default()));
    }
    check_limits(options.concurrency).map_err(RunError::worker)?;
    open.begin(options.concurrency, options.cores.len())?;
    let mut pool = Pool::start(&PoolConfig {
        folder: open.folder.clone(),
        workers: options.concurrency,
        ahead: 2,
        cores: options.cores.clone(),
        games_of_machine: options.concurrency,
        files: Arc::new(Identities::of_unchanged(open.event.plan()).map_err(RunError::worker)?),
    });
    run_with(open, &mut pool, options.show, interrupts)
}

/// Plays what is left of an event that was begun, with these workers. Fails when the event cannot go on; running games
/// are finished and kept as far as possible.
pub fn run_with(
    open: &mut OpenEvent,
    workers: &mut impl Workers,
    show: Show,
    interrupts: &Interrupt,
) -> Result<(Ended, Histogram), RunError> {
    let played = play(&mut EventRun { open, handed_out: 0 }, workers, show, interrupts);
    let synced = open.journal.sync();
    let (ended, overhead) = played?;
    synced?;
    Ok((if open.event.is_over() { Ended::Complete } else { ended }, overhead))
}

struct EventRun<'a> {
    open: &'a mut OpenEvent,
    /// How many pairs of the schedule were looked at.
    handed_out: usize,
}

impl Source for EventRun<'_> {
    const LINE_EVERY: Duration = Duration::from_secs(10);
    const WRITE_EVERY: Duration = Duration::from_secs(10);

    fn next_job(&mut self) -> Result<Option<(PairJob, Arc<Plan>)>, RunError> {
        let event = &self.open.event;
        while let Some(&pair) = event.schedule().pairs().get(self.handed_out) {
            self.handed_out += 1;
            let games = event.results().games_of(pair.number).map(|game| game.is_none());
            if games.contains(&true) {
                return Ok(Some((PairJob { pair, games }, Arc::clone(event.plan()))));
            }
        }
        Ok(None)
    }

    fn add(&mut self, line: GameLine) -> Result<(), RunError> {
        Ok(self.open.add(line)?)
    }

    fn is_over(&self) -> bool {
        self.open.event.is_over()
    }

    fn write(&self, overhead: &Histogram) {
        let _ = Derived::of(&self.open.event, overhead).write();
    }

    fn results(&self) -> &Results {
        self.open.event.results()
    }

    fn pairs(&self) -> Option<usize> {
        Some(self.open.event.schedule().pairs().len())
    }

    fn status(&self, pace: Pace) -> String {
        let (event, results) = (&self.open.event, self.results());
        let (whole, all) = (results.whole_pairs(), event.schedule().pairs().len());
        let mut words = format!("{whole} of {all} pairs, {:.1} games/s", pace.games as f64 / pace.seconds);
        let pairs_each_second = pace.pairs as f64 / pace.seconds;
        // A test ends when it ends, and later stages are not known yet.
        let is_foreseeable = matches!(event.plan().format, Format::RoundRobin { .. } | Format::Gauntlet { .. });
        if is_foreseeable && pairs_each_second > 0.0 {
            words.push_str(&format!(", {} left", in_words((all - whole) as f64 / pairs_each_second)));
        }
        if let Some(test) = results.test() {
            let [lower, upper] = test.sprt.bounds();
            let llr = test.llr.last().copied().unwrap_or(0.0);
            let elo = Score::pairs(test.counts).estimate();
            words.push_str(&format!(", ratio {llr:.2} ({lower:.2} to {upper:.2}), Elo {elo}"));
        }
        words
    }

    fn lock(&self) -> &FolderLock {
        &self.open.lock
    }
}

fn in_words(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 90.0 => format!("{seconds:.0} s"),
        seconds if seconds < 90.0 * 60.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}
