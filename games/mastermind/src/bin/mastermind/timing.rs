//! Times on real ranks: what is allowed, and how it is shown.

use std::time::Duration;

use amazons_program::{Exit, LinePlot, TextTable, cores, launched, ranks_here};

use crate::bench::Measured;

/// One piece of work on some ranks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    /// From its beginning to its end.
    pub(crate) time: Duration,
    /// The processor time of each rank for its share.
    pub(crate) busy: Vec<Duration>,
    /// The processor time of what one rank does while the others wait: set-up, handing out, putting together.
    pub(crate) serial: Duration,
}

impl Run {
    fn busy_sum(&self) -> f64 {
        self.busy.iter().map(Duration::as_secs_f64).sum()
    }

    fn longest(&self) -> f64 {
        self.busy.iter().map(Duration::as_secs_f64).fold(0.0, f64::max)
    }
}

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
pub(crate) struct Rows {
    table: TextTable,
    lines: Vec<(String, Vec<(f64, f64)>)>,
}

const HEAD: [&str; 13] = [
    "what",
    "ranks",
    "by",
    "seconds",
    "speed-up",
    "efficiency",
    "Karp-Flatt",
    "work",
    "longest",
    "serial ms",
    "by cpu time",
    "busy by rank",
    "note",
];

impl Rows {
    pub(crate) fn new(title: String) -> Self {
        Self { table: TextTable::new(title, HEAD), lines: Vec::new() }
    }

    /// Adds the row of some ranks; without ranks that of the program of one process.
    pub(crate) fn add(&mut self, what: &str, by: &str, ranks: Option<usize>, base: &Run, run: &Run) {
        let number = ranks.unwrap_or(1);
        let count = number as f64;
        let faster = base.time.as_secs_f64() / run.time.as_secs_f64();
        let serial = |faster: f64| (1.0 / faster - 1.0 / count) / (1.0 - 1.0 / count);
        let share = |busy: &Duration| format!("{:.0}%", 100.0 * busy.as_secs_f64() / run.time.as_secs_f64());
        let shares: Vec<_> = run.busy.iter().map(share).collect();
        let alone = base.busy_sum() + base.serial.as_secs_f64();
        let note = if ranks.is_some() && ranks_here(number) > cores() { "oversubscribed" } else { "" };
        self.table.row([
            what.to_owned(),
            ranks.map_or_else(|| "-".to_owned(), |ranks| ranks.to_string()),
            by.to_owned(),
            format!("{:.4}", run.time.as_secs_f64()),
            format!("{faster:.3}"),
            format!("{:.3}", faster / count),
            if number > 1 { format!("{:.3}", serial(faster)) } else { "-".to_owned() },
            format!("{:.3}", run.busy_sum() / base.busy_sum()),
            format!("{:.3}", run.longest() / run.busy_sum()),
            format!("{:.1}", 1e3 * run.serial.as_secs_f64()),
            format!("{:.3}", alone / (run.longest() + run.serial.as_secs_f64())),
            shares.join(" "),
            note.to_owned(),
        ]);
        let Some(ranks) = ranks else { return };
        let point = (ranks as f64, faster);
        match self.lines.iter_mut().find(|(name, _)| name == what) {
            Some((_, points)) => points.push(point),
            None => self.lines.push((what.to_owned(), vec![point])),
        }
    }

    /// Returns the table and its plot.
    pub(crate) fn done(self, file: String) -> Measured {
        let mut plot = LinePlot::new(self.table.title(), "ranks", "speed-up");
        let all = self.lines.iter().flat_map(|(_, points)| points).map(|point| point.0);
        let most = all.fold(1.0, f64::max);
        plot.line("ideal", [(1.0, 1.0), (most, most)]);
        self.lines.into_iter().for_each(|(name, points)| plot.line(name, points));
        (self.table, file, plot)
    }
}

/// Checks that there is a core for each rank, or that oversubscription is forced.
pub(crate) fn check(ranks: usize, is_forced: bool) -> Result<(), String> {
    let (here, cores) = (ranks_here(ranks), cores());
    if here <= cores || is_forced {
        return Ok(());
    }
    let cores = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    Err(format!("{here} ranks are more than the {cores} here (--force times them)"))
}

/// Returns the numbers of ranks to time: of those asked for the ones that have a core each, and under a launcher its own
/// number and those below it.
pub(crate) fn allowed(asked: &[usize], is_forced: bool) -> Result<Vec<usize>, Exit> {
    if let Some(size) = launched() {
        check(size, is_forced).map_err(Exit::Usage)?;
        let mut all: Vec<_> = asked.iter().copied().filter(|&ranks| ranks < size).collect();
        all.push(size);
        return Ok(all);
    }
    let refused = asked.iter().find_map(|&ranks| check(ranks, is_forced).err());
    let all: Vec<_> = asked.iter().copied().filter(|&ranks| check(ranks, is_forced).is_ok()).collect();
    match refused {
        Some(refused) if all.is_empty() => Err(Exit::Usage(refused)),
        Some(refused) => {
            eprintln!("mastermind: {refused}");
            Ok(all)
        }
        None => Ok(all),
    }
}
