use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use amazons_engine::{Isa, random_playouts};
use amazons_rules::{Board, MoveList, Position, Shape};
use anyhow::{Context, bail};

use crate::bench::{
    Evaluated, Searched, bench_rows, best_first, depth_first, evaluate, median, positions, ratios, timed,
};
use crate::cli::BenchArgs;
use crate::command::Exit;
use crate::host;

const SEED: u64 = 1;
const PLAYOUTS: u32 = 20_000;
/// Minimum number of move lists.
const LISTS: usize = 10_000;
const EVALUATIONS: u64 = 1_000_000;
/// Without vector instructions an evaluation takes fifty times as long.
const EVALUATIONS_PORTABLE: u64 = 50_000;
const VISITS: u64 = 40_000;
const VISITS_PORTABLE: u64 = 1_000;

/// Measures perft, move lists, random playouts, evaluations and searches.
///
/// The work is fixed, so that two builds that count the same nodes play by the same rules, those that count the same
/// search nodes search alike, and their speeds compare.
pub(super) fn run(args: &BenchArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let runs = args.runs;
    if let Some(other) = &args.compare {
        return compare(other, runs, out);
    }
    let nodes = rules(runs, out)?;
    evaluations(runs, out)?;
    let search_nodes = searches(runs, out)?;
    writeln!(out, "\nsearch nodes: {search_nodes}\nnodes: {nodes}")?;
    Ok(Exit::Success)
}

/// Runs another server's `bench` and this one's in turn, and prints how their speeds compare.
fn compare(other: &Path, runs: u32, out: &mut impl Write) -> anyhow::Result<Exit> {
    let this = host::server();
    let mut pairs = Vec::new();
    for _ in 0..runs {
        // A wrong name is noticed before the work begins.
        let theirs = bench_rows(&printed_by(other)?);
        pairs.push([bench_rows(&printed_by(&this)?), theirs]);
    }
    writeln!(out, "{:<22} {:<22} {:>12} {:>12} {:>7}", "M a second", "", "this build", "the other", "ratio")?;
    let mut table = "";
    let rows = ratios(&pairs);
    for row in &rows {
        let ([title, name], [ours, theirs]) = (&row.row, row.speeds.map(|speed| speed / 1e6));
        let shown = if title == table { "" } else { title };
        let note = if row.is_same_work { "" } else { "  other work" };
        writeln!(out, "{shown:<22} {name:<22} {ours:>12.3} {theirs:>12.3} {:>7.3}{note}", row.ratio)?;
        table = title;
    }
    Ok(Exit::Success)
}

/// Returns what a server's `bench` prints; one that knows how often to measure does so once.
fn printed_by(server: &Path) -> anyhow::Result<String> {
    let ran = |options: &[&str]| {
        let output = Command::new(server).arg("bench").args(options).output();
        output.with_context(|| format!("--compare: cannot run {}", server.display()))
    };
    let mut output = ran(&["--runs", "1"])?;
    if !output.status.success() {
        output = ran(&[])?;
    }
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let reason = said.lines().last().map_or_else(String::new, |line| format!(": {line}"));
        bail!("--compare: {} bench failed{reason}", server.display());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Measures the rules and returns what they count.
fn rules(runs: u32, out: &mut impl Write) -> anyhow::Result<u64> {
    let mut nodes = 0;
    writeln!(out, "{:<22} {:>9} {:>14} {:>9} {:>12}", "perft", "vertices", "nodes", "seconds", "G nodes/s")?;
    let standard = Position::standard();
    // Each shape beside the square of about as many vertices.
    let perfts = [
        ("standard 10x10", standard, 2, 40_u32),
        ("square 9", start(Shape::Square, 9)?, 2, 100),
        ("square 10", start(Shape::Square, 10)?, 2, 20),
        ("donut 10", start(Shape::Donut, 10)?, 2, 100),
        ("clover 10", start(Shape::Clover, 10)?, 2, 100),
        ("figure-eight 10", start(Shape::FigureEight, 10)?, 2, 50),
        ("square 20", start(Shape::Square, 20)?, 1, 20_000),
        ("square 100", start(Shape::Square, 100)?, 1, 200),
    ];
    for (name, position, depth, rounds) in &perfts {
        let perft = || (0..*rounds).map(|_| black_box(position).perft(*depth)).sum::<u64>();
        let (counted, seconds) = repeated(runs, || timed(perft));
        nodes += counted / u64::from(*rounds);
        report(out, name, position, counted, seconds, 1e9)?;
    }

    writeln!(out, "\n{:<22} {:>9} {:>14} {:>9} {:>12}", "move lists", "vertices", "moves", "seconds", "M moves/s")?;
    let mut list = MoveList::new();
    for (name, position, ..) in &perfts[..6] {
        let all = positions(position);
        let mut count = |position: &Position| {
            black_box(position).legal_moves(&mut list);
            list.len() as u64
        };
        nodes += count(position);
        let rounds = LISTS.div_ceil(all.len());
        let (counted, seconds) = repeated(runs, || timed(|| (0..rounds).flat_map(|_| &all).map(&mut count).sum()));
        report(out, name, position, counted, seconds, 1e6)?;
    }

    writeln!(out, "\n{:<22} {:>9} {:>14} {:>9} {:>12}", "random playouts", "vertices", "plies", "seconds", "games/s")?;
    for (name, position, ..) in &perfts[..7] {
        let playouts = || random_playouts(black_box(position), SEED, PLAYOUTS);
        let (plies, seconds) = repeated(runs, || timed(playouts));
        nodes += plies;
        let (vertices, speed) = (position.board().vertex_count(), f64::from(PLAYOUTS) / seconds);
        writeln!(out, "{name:<22} {vertices:>9} {plies:>14} {seconds:>9.4} {speed:>12.0}")?;
    }
    Ok(nodes)
}

/// Measures full evaluations with every instruction set of this CPU.
fn evaluations(runs: u32, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "\n{:<22} {:>9} {:>14} {:>9} {:>12}", "evaluations", "vertices", "evaluations", "seconds", "M/s")?;
    let standard = Position::standard();
    for (name, position) in [("10x10", standard), ("square 8", start(Shape::Square, 8)?)] {
        for isa in Isa::available() {
            let wanted = if isa == Isa::PORTABLE { EVALUATIONS_PORTABLE } else { EVALUATIONS };
            let (evaluations, seconds) = repeated(runs, || {
                let Evaluated { evaluations, seconds, .. } = evaluate(&position, isa, wanted);
                (evaluations, seconds)
            });
            report(out, &format!("{name} {}", isa.name()), &position, evaluations, seconds, 1e6)?;
        }
    }
    Ok(())
}

/// Measures both searches and returns what they count.
fn searches(runs: u32, out: &mut impl Write) -> anyhow::Result<u64> {
    let searches = [
        ("standard 10x10", Position::standard(), 5, VISITS),
        ("square 8", start(Shape::Square, 8)?, 5, VISITS),
        ("donut 9", start(Shape::Donut, 9)?, 5, VISITS),
        ("clover 10", start(Shape::Clover, 10)?, 5, VISITS),
        ("figure-eight 8", start(Shape::FigureEight, 8)?, 5, VISITS),
        ("square 20", start(Shape::Square, 20)?, 2, 1_000),
    ];
    let isa = Isa::best();
    let mut search_nodes = 0;
    let mut table = |title: &str, work: &str, search: &dyn Fn(&Position, u32, u64) -> Searched| -> anyhow::Result<()> {
        writeln!(
            out,
            "\n{title:<22} {:>9} {:>14} {:>9} {work:>12} {:>12} {:>5}",
            "vertices", "nodes", "seconds", "k nodes/s", "depth"
        )?;
        for (name, position, depth, visits) in &searches {
            let (Searched { nodes, signature, depth, .. }, seconds) = repeated(runs, || {
                let searched = search(position, *depth, *visits);
                (searched, searched.seconds)
            });
            search_nodes += signature;
            let (vertices, speed) = (position.board().vertex_count(), nodes as f64 / seconds / 1e3);
            writeln!(
                out,
                "{name:<22} {vertices:>9} {nodes:>14} {seconds:>9.4} {signature:>12} {speed:>12.1} {depth:>5}"
            )?;
        }
        Ok(())
    };
    table("alpha-beta", "moves", &|position, depth, _| depth_first(position, isa, depth))?;
    table("best-first search", "tree", &|position, _, visits| best_first(position, isa, visits))?;
    writeln!(
        out,
        "\n{:<22} {:>9} {:>14} {:>9} {:>12} {:>12}",
        "best-first, 10x10", "vertices", "nodes", "seconds", "tree", "k nodes/s"
    )?;
    let position = Position::standard();
    for isa in Isa::available() {
        let visits = if isa == Isa::PORTABLE { VISITS_PORTABLE } else { VISITS };
        let (searched, seconds) = repeated(runs, || {
            let searched = best_first(&position, isa, visits);
            (searched, searched.seconds)
        });
        let (name, tree, speed) = (isa.name(), searched.signature, visits as f64 / seconds / 1e3);
        writeln!(out, "{name:<22} {:>9} {visits:>14} {seconds:>9.4} {tree:>12} {speed:>12.1}", 100)?;
    }
    Ok(search_nodes)
}

fn start(shape: Shape, m: u32) -> anyhow::Result<Position> {
    Ok(Position::start(Arc::new(Board::new(shape, m)?)))
}

/// Repeats work that takes some seconds; returns its last result and the median of the times.
fn repeated<T>(runs: u32, mut work: impl FnMut() -> (T, f64)) -> (T, f64) {
    let (mut result, seconds) = work();
    let mut all = vec![seconds];
    for _ in 1..runs {
        let seconds;
        (result, seconds) = work();
        all.push(seconds);
    }
    (result, median(all))
}

fn report(
    out: &mut impl Write,
    name: &str,
    position: &Position,
    counted: u64,
    seconds: f64,
    unit: f64,
) -> anyhow::Result<()> {
    let (vertices, speed) = (position.board().vertex_count(), counted as f64 / seconds / unit);
    writeln!(out, "{name:<22} {vertices:>9} {counted:>14} {seconds:>9.4} {speed:>12.2}")?;
    Ok(())
}
