use std::time::Duration;

use amazons_program::{LinePlot, TextTable};
use connect4::model::{Policy, run};

use super::measure::Measurement;

/// The measurements of a task depth, from one process on.
#[derive(Debug)]
pub(super) struct Series {
    pub(super) task_depth: u32,
    pub(super) measured: Vec<Measurement>,
}

/// Counted tasks of a task depth, and what they take on more processes than there are cores.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) task_depth: u32,
    pub(super) costs: Vec<u64>,
    /// Of a message, in calls.
    pub(super) latency: u64,
    /// What one process needs without tasks, in calls.
    pub(super) base: u64,
}

/// Returns the speed-up of a time against the best of one process.
fn speed_up(base: f64, seconds: f64) -> f64 {
    base / seconds
}

/// Returns the serial share that explains a speed-up, by Karp and Flatt.
pub(super) fn karp_flatt(speed_up: f64, processes: usize) -> Option<f64> {
    let share = 1.0 / processes as f64;
    (processes > 1).then(|| (1.0 / speed_up - share) / (1.0 - share))
}

/// Makes the report's table of a task depth: a column for each number of processes.
pub(super) fn times(series: &Series, depth: u32, base: f64) -> TextTable {
    let processes = 1..=series.measured.len();
    let head = ["processes".to_owned()].into_iter().chain(processes.clone().map(|number| number.to_string()));
    let title = format!("Task depth {}: seconds for the first move", series.task_depth);
    let mut table = TextTable::new(title, head);
    let ups: Vec<f64> = series.measured.iter().map(|it| speed_up(base, it.seconds)).collect();
    let row = |name: String, cells: Vec<String>| [name].into_iter().chain(cells);
    table.row(row(format!("depth {depth}"), series.measured.iter().map(|it| format!("{:.6}", it.seconds)).collect()));
    table.row(row("speed-up".to_owned(), ups.iter().map(|up| format!("{up:.3}")).collect()));
    let each = || ups.iter().copied().zip(processes.clone());
    table.row(row("efficiency".to_owned(), each().map(|(up, number)| format!("{:.3}", up / number as f64)).collect()));
    let shares = each().map(|(up, number)| karp_flatt(up, number));
    table.row(row(
        "Karp-Flatt".to_owned(),
        shares.map(|share| share.map_or_else(|| "-".to_owned(), |share| format!("{share:.3}"))).collect(),
    ));
    let busy = |it: &Measurement| it.shares.iter().map(|share| share.busy).sum::<f64>();
    table.row(row("processor s".to_owned(), series.measured.iter().map(|it| format!("{:.6}", busy(it))).collect()));
    table.row(row("positions".to_owned(), series.measured.iter().map(|it| it.calls.to_string()).collect()));
    table
}

/// Makes a table of what each process did at the largest number of processes.
pub(super) fn shares(series: &Series) -> Option<TextTable> {
    let last = series.measured.last()?;
    let title = format!("Task depth {}: what each of {} did", series.task_depth, last.shares.len());
    let mut table = TextTable::new(title, ["rank", "busy s", "waiting s", "tasks", "messages", "bytes"]);
    for (rank, share) in last.shares.iter().enumerate() {
        table.row([
            rank.to_string(),
            format!("{:.6}", share.busy),
            format!("{:.6}", (last.seconds - share.busy).max(0.0)),
            share.tasks.to_string(),
            share.traffic.messages.to_string(),
            share.traffic.bytes.to_string(),
        ]);
    }
    Some(table)
}

/// Makes a table of modelled makespans.
pub(super) fn model(model: &Model, processes: &[usize]) -> TextTable {
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
            let up = |makespan: u64| model.base as f64 / makespan.max(1) as f64;
            table.row([
                number.to_string(),
                name.to_owned(),
                plain.makespan.to_string(),
                format!("{:.3}", up(plain.makespan)),
                format!("{:.3}", up(plain.makespan) / number as f64),
                format!("{:.3}", up(late.makespan) / number as f64),
                plain.by_first.to_string(),
                plain.messages.to_string(),
            ]);
        }
    }
    table
}

const POLICIES: [(Policy, &str); 3] = [(Policy::Seed, "seed"), (Policy::List, "list"), (Policy::Largest, "largest")];

/// Draws the times and the efficiency by the number of processes.
pub(super) fn plots(all: &[Series], base: f64, what: &str) -> [(&'static str, LinePlot); 2] {
    let mut seconds = LinePlot::new(format!("Time for the first move, {what}"), "processes", "seconds");
    let mut efficiency = LinePlot::new(format!("Efficiency, {what}"), "processes", "efficiency");
    for series in all {
        let name = format!("task depth {}", series.task_depth);
        let points = || (1..).zip(&series.measured).map(|(number, it)| (f64::from(number), it.seconds));
        seconds.line(name.clone(), points());
        efficiency.line(name, points().map(|(number, time)| (number, speed_up(base, time) / number)));
    }
    [("times.svg", seconds), ("efficiency.svg", efficiency)]
}

/// Draws the modelled efficiency by the number of processes.
pub(super) fn model_plot(models: &[Model], processes: &[usize], what: &str) -> LinePlot {
    let mut plot = LinePlot::new(format!("Modelled efficiency, {what}"), "processes", "efficiency");
    for model in models {
        for (policy, name) in POLICIES {
            let efficiency = |number: usize| {
                let makespan = run(policy, &model.costs, number, model.latency).makespan;
                model.base as f64 / makespan.max(1) as f64 / number as f64
            };
            let points: Vec<_> = processes.iter().map(|&number| (number as f64, efficiency(number))).collect();
            plot.line(format!("{name}, task depth {}", model.task_depth), points);
        }
    }
    plot
}

/// Returns a time in calls of this many seconds each, rounded up.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a time is positive, and f64 saturates")]
pub(super) fn in_calls(time: Duration, seconds_per_call: f64) -> u64 {
    (time.as_secs_f64() / seconds_per_call).ceil() as u64
}
