//! Speed-up by the number of ranks: what is measured on each number, and how a report shows it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Map, json};

use crate::{Exit, LinePlot, Machine, TextTable, cores, process_time, thread_time};

/// Measures a piece of work from its beginning on.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    begun: Instant,
    clock: fn() -> Duration,
    before: Duration,
}

impl Stopwatch {
    /// Measures this thread.
    pub fn of_thread() -> Self {
        Self { begun: Instant::now(), clock: thread_time, before: thread_time() }
    }

    /// Measures all threads of this process.
    pub fn of_process() -> Self {
        Self { begun: Instant::now(), clock: process_time, before: process_time() }
    }

    /// Returns the time since the beginning.
    pub fn time(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Returns the processor time since the beginning.
    pub fn busy(&self) -> Duration {
        (self.clock)().saturating_sub(self.before)
    }
}

/// One piece of work on some ranks.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// From its beginning to its end.
    pub time: Duration,
    /// The processor time of each rank for its share.
    pub busy: Vec<Duration>,
    /// The processor time of what one rank does while the others wait: set-up, handing out, putting together.
    pub serial: Duration,
}

impl Run {
    /// Makes the run of one thread, which all of its time is work.
    pub fn of_one(watch: &Stopwatch) -> Self {
        Self { time: watch.time(), busy: vec![watch.busy()], serial: Duration::ZERO }
    }

    /// Returns the seconds of processor time of all shares.
    pub fn busy_sum(&self) -> f64 {
        self.busy.iter().map(Duration::as_secs_f64).sum()
    }

    /// Returns the seconds of processor time of the largest share.
    pub fn longest(&self) -> f64 {
        self.busy.iter().map(Duration::as_secs_f64).fold(0.0, f64::max)
    }
}

/// The speed-up of some ranks over one process.
#[derive(Clone, Copy, Debug)]
pub struct Speedup {
    /// The time of one process by that of the ranks.
    pub factor: f64,
    ranks: f64,
}

impl Speedup {
    /// Compares the time of one process with that of some ranks, in any unit.
    pub fn new(base: f64, time: f64, ranks: usize) -> Self {
        Self { factor: base / time, ranks: ranks as f64 }
    }

    /// Returns the speed-up by rank.
    pub fn efficiency(self) -> f64 {
        self.factor / self.ranks
    }

    /// Returns the serial share that explains the speed-up, by Karp and Flatt, to three digits; `-` for one rank.
    pub fn karp_flatt(self) -> String {
        let share = 1.0 / self.ranks;
        if self.ranks > 1.0 { format!("{:.3}", (1.0 / self.factor - share) / (1.0 - share)) } else { "-".to_owned() }
    }
}

/// Refuses more ranks on this machine than it has cores, unless that is forced: [`Exit::Usage`] says what to do
/// about it.
pub fn check_cores(ranks_here: usize, is_forced: bool) -> Result<(), Exit> {
    match cores() {
        cores if ranks_here <= cores || is_forced => Ok(()),
        1 => Err(Exit::Usage(format!("{ranks_here} ranks are more than the 1 core here {FORCE}"))),
        cores => Err(Exit::Usage(format!("{ranks_here} ranks are more than the {cores} cores here {FORCE}"))),
    }
}

const FORCE: &str = "and would measure the scheduler (--force times them)";

/// The options of a command that prints a [`Report`].
#[derive(Args, Clone, Debug)]
pub struct ReportArgs {
    /// Print comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw the plots into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
}

/// Measurements: where and how they were made, their tables and plots.
#[derive(Clone, Debug)]
pub struct Report {
    /// Names and texts of the first lines.
    pub head: Vec<(&'static str, String)>,
    /// The tables.
    pub tables: Vec<TextTable>,
    /// The plots, with the names of their files.
    pub plots: Vec<(String, LinePlot)>,
    /// Whether comma-separated values have head and titles as comments: for tables that look alike.
    pub has_comments: bool,
}

impl Report {
    /// Makes a report that names only the program with its version, and this machine.
    pub fn new(program: &'static str, version: &str) -> Self {
        let head = vec![(program, version.to_owned()), ("machine", Machine::here().to_string())];
        Self { head, tables: Vec::new(), plots: Vec::new(), has_comments: false }
    }
}

impl ReportArgs {
    /// Makes the folder of the plots, before long work begins.
    pub fn make_folder(&self) -> Result<(), Exit> {
        let Some(folder) = &self.svg else { return Ok(()) };
        fs::create_dir_all(folder).map_err(|error| Exit::unwritable(folder, &error))
    }

    /// Writes the plots, and prints the rest as text, JSON or comma-separated values.
    pub fn print(&self, report: &Report, out: &mut impl Write) -> Result<(), Exit> {
        for (folder, (name, plot)) in self.svg.iter().flat_map(|folder| report.plots.iter().map(move |it| (folder, it)))
        {
            let path = folder.join(name);
            fs::write(&path, plot.to_svg()).map_err(|error| Exit::unwritable(&path, &error))?;
        }
        let Report { head, tables, .. } = report;
        match (self.json, self.csv) {
            (true, _) => {
                let head: Map<_, _> = head.iter().map(|(name, text)| ((*name).to_owned(), json!(text))).collect();
                let table = |table: &TextTable| json!({ "title": table.title(), "rows": table.to_json() });
                let tables: Vec<_> = tables.iter().map(table).collect();
                writeln!(out, "{}", json!({ "head": head, "tables": tables }))?;
            }
            (_, true) if !report.has_comments => {
                let tables: Vec<_> = tables.iter().map(TextTable::to_csv).collect();
                write!(out, "{}", tables.join("\n"))?;
            }
            _ => {
                let mark = if self.csv { "# " } else { "" };
                head.iter().try_for_each(|(name, text)| writeln!(out, "{mark}{name}: {text}"))?;
                for table in tables {
                    match self.csv {
                        true => write!(out, "\n# {}\n{}", table.title(), table.to_csv())?,
                        false => write!(out, "\n{}", table.to_text())?,
                    }
                }
            }
        }
        Ok(())
    }
}
