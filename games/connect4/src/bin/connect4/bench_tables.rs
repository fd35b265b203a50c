use std::time::Duration;

use amazons_mpi::Traffic;
use amazons_program::speedup::Speedup;
use amazons_program::{LinePlot, TextTable};
use connect4::model::{Policy, run};

use crate::measurement::Measurement;

/// The measurements of a task depth, from one process on.
#[derive(Debug)]
pub(crate) struct Series {
    pub(crate) task_depth: u32,
    pub(crate) measured: Vec<Measurement>,
}

/// Counted tasks of a task depth, and what they take on more processes than there are cores.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) task_depth: u32,
    pub(crate) costs: Vec<u64>,
    /// Of a message, in calls.
    pub(crate) latency: u64,
    /// The calls that one process needs without tasks.
    pub(crate) base: u64,
}

impl Model {
    fn speedup(&self, makespan: u64, processes: usize) -> Speedup {
        Speedup::new(self.base as f64, makespan.max(1) as f64, processes)
    }
}

impl Series {
    /// Compares the times with the best of one process.
    fn speedups(&self, base: f64) -> impl Iterator<Item = Speedup> {
        (1..).zip(&self.measured).map(move |(processes, it)| Speedup::new(base, it.seconds, processes))
    }
}

/// Makes the report's table of a task depth: a column for each number of processes.
pub(crate) fn times(series: &Series, depth: u32, base: f64) -> TextTable {
    let title = format!("Task depth {}: seconds for the first move", series.task_depth);
    let numbers = (1..=series.measured.len()).map(|number| number.to_string());
    let mut table = TextTable::new(title, ["processes".to_owned()].into_iter().chain(numbers));
    let mut row = |name: &str, cells: Vec<String>| table.row([name.to_owned()].into_iter().chain(cells));
    let measured = |cell: fn(&Measurement) -> String| series.measured.iter().map(cell).collect();
    let compared = |cell: fn(Speedup) -> String| series.speedups(base).map(cell).collect();
    row(&format!("depth {depth}"), measured(|it| format!("{:.6}", it.seconds)));
    row("speed-up", compared(|it| format!("{:.3}", it.factor)));
    row("efficiency", compared(|it| format!("{:.3}", it.efficiency())));
    row("Karp-Flatt", compared(Speedup::karp_flatt));
    row("processor s", measured(|it| format!("{:.6}", it.evaluation.cpu.iter().sum::<Duration>().as_secs_f64())));
    row("positions", measured(|it| it.evaluation.calls.to_string()));
    table
}

/// Makes a table of what each process did at the largest number of processes.
pub(crate) fn shares(series: &Series) -> Option<TextTable> {
    let last = series.measured.last()?;
    let title = format!("Task depth {}: what each of {} did", series.task_depth, last.traffic.len());
    let mut table = TextTable::new(title, ["rank", "busy s", "waiting s", "tasks", "messages", "bytes"]);
    let shares = last.evaluation.cpu.iter().zip(&last.evaluation.computed).zip(&last.traffic);
    for (rank, ((busy, tasks), Traffic { messages, bytes })) in shares.enumerate() {
        let (busy, tasks) = (busy.as_secs_f64(), tasks.to_string());
        let (work, wait) = (format!("{busy:.6}"), format!("{:.6}", (last.seconds - busy).max(0.0)));
        table.row([rank.to_string(), work, wait, tasks, messages.to_string(), bytes.to_string()]);
    }
    Some(table)
}

/// Makes a table of modelled makespans.
pub(crate) fn model(model: &Model, processes: &[usize]) -> TextTable {
    let total: u64 = model.costs.iter().sum();
    let title = format!(
        "Model, task depth {}: {} tasks, {total} calls ({} without tasks), latency {} calls",
        model.task_depth,
        model.costs.len(),
        model.base,
        model.latency
    );
    let head = ["processes", "policy", "makespan", "speed-up", "efficiency", "with latency", "by rank 0", "messages"];
    let mut table = TextTable::new(title, head);
    for &number in processes {
        for (policy, name) in POLICIES {
            let (plain, late) =
                (run(policy, &model.costs, number, 0), run(policy, &model.costs, number, model.latency));
            let speedup = |makespan| model.speedup(makespan, number);
            table.row([
                number.to_string(),
                name.to_owned(),
                plain.makespan.to_string(),
                format!("{:.3}", speedup(plain.makespan).factor),
                format!("{:.3}", speedup(plain.makespan).efficiency()),
                format!("{:.3}", speedup(late.makespan).efficiency()),
                plain.by_first.to_string(),
                plain.messages.to_string(),
            ]);
        }
    }
    table
}

const POLICIES: [(Policy, &str); 3] = [(Policy::Seed, "seed"), (Policy::List, "list"), (Policy::Largest, "largest")];

/// Draws the times and the efficiency by the number of processes.
pub(crate) fn plots(all: &[Series], base: f64, what: &str) -> [(String, LinePlot); 2] {
    let mut seconds = LinePlot::new(format!("Time for the first move, {what}"), "processes", "seconds");
    let mut efficiency = LinePlot::new(format!("Efficiency, {what}"), "processes", "efficiency");
    for series in all {
        let name = format!("task depth {}", series.task_depth);
        let points = |values: Vec<f64>| (1..).map(f64::from).zip(values);
        seconds.line(name.clone(), points(series.measured.iter().map(|it| it.seconds).collect()));
        efficiency.line(name, points(series.speedups(base).map(Speedup::efficiency).collect()));
    }
    [("times.svg".to_owned(), seconds), ("efficiency.svg".to_owned(), efficiency)]
}

/// Draws the modelled efficiency by the number of processes.
pub(crate) fn model_plot(models: &[Model], processes: &[usize], what: &str) -> LinePlot {
    let mut plot = LinePlot::new(format!("Modelled efficiency, {what}"), "processes", "efficiency");
    for model in models {
        for (policy, name) in POLICIES {
            let efficiency = |number: usize| {
                model.speedup(run(policy, &model.costs, number, model.latency).makespan, number).efficiency()
            };
            let points: Vec<_> = processes.iter().map(|&number| (number as f64, efficiency(number))).collect();
            plot.line(format!("{name}, task depth {}", model.task_depth), points);
        }
    }
    plot
}

/// Returns a time in calls of this many seconds each, rounded up.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a time is positive, and f64 saturates")]
pub(crate) fn in_calls(time: Duration, seconds_per_call: f64) -> u64 {
    (time.as_secs_f64() / seconds_per_call).ceil() as u64
}
