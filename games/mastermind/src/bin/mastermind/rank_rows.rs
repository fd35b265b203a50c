//! Which numbers of ranks are timed, and the table of their times.

use std::time::Duration;

use amazons_program::speedup::{Report, Run, Speedup, check_cores};
use amazons_program::{Exit, LinePlot, TextTable, cores, launched, ranks_here};

/// Calls a function several times, and returns its fastest run and what it found, which must be the same each time.
pub(crate) fn fastest<T: PartialEq>(
    repeat: u32,
    mut run: impl FnMut() -> Result<(Run, T), Exit>,
) -> Result<(Run, T), Exit> {
    let (mut best, found) = run()?;
    for _ in 1..repeat {
        let (next, again) = run()?;
        if again != found {
            return Err(Exit::Failure("the same work gave two results".to_owned()));
        }
        if next.time < best.time {
            best = next;
        }
    }
    Ok((best, found))
}

/// Rows of times, with the speed-up against the best program of one process.
pub(crate) struct RankRows {
    table: TextTable,
    lines: Vec<(String, Vec<(f64, f64)>)>,
}

const HEAD: &str = "what, ranks, by, seconds, speed-up, efficiency, Karp-Flatt, work, longest, serial ms, by cpu time, \
                    busy by rank, note";

impl RankRows {
    pub(crate) fn new(title: String) -> Self {
        Self { table: TextTable::new(title, HEAD.split(", ")), lines: Vec::new() }
    }

    /// Adds the row of some ranks; without ranks that of the program of one process.
    pub(crate) fn add(&mut self, what: &str, by: &str, ranks: Option<usize>, base: &Run, run: &Run) {
        let number = ranks.unwrap_or(1);
        let speedup = Speedup::new(base.time.as_secs_f64(), run.time.as_secs_f64(), number);
        let share = |busy: &Duration| format!("{:.0}%", 100.0 * busy.as_secs_f64() / run.time.as_secs_f64());
        let shares: Vec<_> = run.busy.iter().map(share).collect();
        let alone = base.busy_sum() + base.serial.as_secs_f64();
        let note = if ranks.is_some() && ranks_here(number) > cores() { "oversubscribed" } else { "" };
        self.table.row([
            what.to_owned(),
            ranks.map_or_else(|| "-".to_owned(), |ranks| ranks.to_string()),
            by.to_owned(),
            format!("{:.4}", run.time.as_secs_f64()),
            format!("{:.3}", speedup.factor),
            format!("{:.3}", speedup.efficiency()),
            speedup.karp_flatt(),
            format!("{:.3}", run.busy_sum() / base.busy_sum()),
            format!("{:.3}", run.longest() / run.busy_sum()),
            format!("{:.1}", 1e3 * run.serial.as_secs_f64()),
            format!("{:.3}", alone / (run.longest() + run.serial.as_secs_f64())),
            shares.join(" "),
            note.to_owned(),
        ]);
        let Some(ranks) = ranks else { return };
        let point = (ranks as f64, speedup.factor);
        match self.lines.iter_mut().find(|(name, _)| name == what) {
            Some((_, points)) => points.push(point),
            None => self.lines.push((what.to_owned(), vec![point])),
        }
    }

    /// Adds the table to a report, and its plot in a file of this name.
    pub(crate) fn report(self, file: String, report: &mut Report) {
        let mut plot = LinePlot::new(self.table.title(), "ranks", "speed-up");
        let all = self.lines.iter().flat_map(|(_, points)| points).map(|point| point.0);
        let most = all.fold(1.0, f64::max);
        plot.line("ideal", [(1.0, 1.0), (most, most)]);
        self.lines.into_iter().for_each(|(name, points)| plot.line(name, points));
        report.tables.push(self.table);
        report.plots.push((file, plot));
    }
}

/// Returns the numbers of ranks to time: of those asked for the ones that have a core each, and under a launcher its own
/// number and those below it.
pub(crate) fn allowed(asked: &[usize], is_forced: bool) -> Result<Vec<usize>, Exit> {
    if let Some(size) = launched() {
        check_cores(ranks_here(size), is_forced)?;
        return Ok(asked.iter().copied().filter(|&ranks| ranks < size).chain([size]).collect());
    }
    let has_cores = |&ranks: &usize| check_cores(ranks, is_forced).is_ok();
    let (all, others): (Vec<usize>, Vec<usize>) = asked.iter().partition(|ranks| has_cores(ranks));
    if let Some(refused) = others.first().and_then(|&ranks| check_cores(ranks, is_forced).err()) {
        if all.is_empty() {
            return Err(refused);
        }
        eprintln!("mastermind: {}", refused.complaint().unwrap_or_default());
    }
    Ok(all)
}
