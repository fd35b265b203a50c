use std::hint::black_box;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use amazons_engine::{Isa, random_playouts};
use amazons_rules::{Board, MoveList, Position, Shape};

use crate::bench::{Evaluated, Searched, best_first, depth_first, evaluate};
use crate::command::Exit;

const SEED: u64 = 1;
const PLAYOUTS: u32 = 20_000;
const LISTS: u32 = 4_000;
const EVALUATIONS: u64 = 1_000_000;
/// Without vector instructions an evaluation takes fifty times as long.
const EVALUATIONS_PORTABLE: u64 = 50_000;

/// Measures perft, move lists, random playouts, evaluations and searches.
///
/// The work is fixed, so that two builds that count the same nodes play by the same rules, those that count the same
/// search nodes search alike, and their speeds compare.
pub(super) fn run(out: &mut impl Write) -> anyhow::Result<Exit> {
    let nodes = rules(out)?;
    evaluations(out)?;
    let search_nodes = searches(out)?;
    writeln!(out, "\nsearch nodes: {search_nodes}\nnodes: {nodes}")?;
    Ok(Exit::Success)
}

/// Measures the rules and returns what they count.
fn rules(out: &mut impl Write) -> anyhow::Result<u64> {
    let mut nodes = 0;
    writeln!(out, "{:<22} {:>9} {:>14} {:>9} {:>12}", "perft", "vertices", "nodes", "seconds", "G nodes/s")?;
    let standard = Position::standard();
    // Each shape beside the square of about as many vertices.
    let perfts = [
        ("standard 10x10", standard, 2, 40),
        ("square 9", start(Shape::Square, 9)?, 2, 100),
        ("square 10", start(Shape::Square, 10)?, 2, 20),
        ("donut 10", start(Shape::Donut, 10)?, 2, 100),
        ("clover 10", start(Shape::Clover, 10)?, 2, 100),
        ("figure-eight 10", start(Shape::FigureEight, 10)?, 2, 50),
        ("square 20", start(Shape::Square, 20)?, 1, 20_000),
        ("square 100", start(Shape::Square, 100)?, 1, 200),
    ];
    for (name, position, depth, rounds) in &perfts {
        let (counted, seconds) = timed(*rounds, || black_box(position).perft(*depth));
        nodes += counted / u64::from(*rounds);
        report(out, name, position, counted, seconds, 1e9)?;
    }

    writeln!(out, "\n{:<22} {:>9} {:>14} {:>9} {:>12}", "move lists", "vertices", "moves", "seconds", "M moves/s")?;
    let mut list = MoveList::new();
    for (name, position, ..) in &perfts[..6] {
        let (counted, seconds) = timed(LISTS, || {
            black_box(position).legal_moves(&mut list);
            list.len() as u64
        });
        nodes += counted / u64::from(LISTS);
        report(out, name, position, counted, seconds, 1e6)?;
    }

    writeln!(out, "\n{:<22} {:>9} {:>14} {:>9} {:>12}", "random playouts", "vertices", "plies", "seconds", "games/s")?;
    for (name, position, ..) in &perfts[..7] {
        let (plies, seconds) = timed(1, || random_playouts(black_box(position), SEED, PLAYOUTS));
        nodes += plies;
        let (vertices, speed) = (position.board().vertex_count(), f64::from(PLAYOUTS) / seconds);
        writeln!(out, "{name:<22} {vertices:>9} {plies:>14} {seconds:>9.3} {speed:>12.0}")?;
    }
    Ok(nodes)
}

/// Measures full evaluations with every instruction set of this CPU.
fn evaluations(out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "\n{:<22} {:>9} {:>14} {:>9} {:>12}", "evaluations", "vertices", "evaluations", "seconds", "M/s")?;
    let standard = Position::standard();
    for (name, position) in [("10x10", standard), ("square 8", start(Shape::Square, 8)?)] {
        for isa in Isa::available() {
            let wanted = if isa == Isa::PORTABLE { EVALUATIONS_PORTABLE } else { EVALUATIONS };
            let Evaluated { evaluations, seconds, .. } = evaluate(&position, isa, wanted);
            report(out, &format!("{name} {}", isa.name()), &position, evaluations, seconds, 1e6)?;
        }
    }
    Ok(())
}

/// Measures both searches and returns what they count.
fn searches(out: &mut impl Write) -> anyhow::Result<u64> {
    let searches = [
        ("standard 10x10", Position::standard(), 5, 40_000),
        ("square 8", start(Shape::Square, 8)?, 5, 40_000),
        ("donut 9", start(Shape::Donut, 9)?, 5, 40_000),
        ("clover 10", start(Shape::Clover, 10)?, 5, 40_000),
        ("figure-eight 8", start(Shape::FigureEight, 8)?, 5, 40_000),
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
            let Searched { nodes, signature, depth, seconds } = search(position, *depth, *visits);
            search_nodes += signature;
            let (vertices, speed) = (position.board().vertex_count(), nodes as f64 / seconds / 1e3);
            writeln!(
                out,
                "{name:<22} {vertices:>9} {nodes:>14} {seconds:>9.3} {signature:>12} {speed:>12.1} {depth:>5}"
            )?;
        }
        Ok(())
    };
    table("alpha-beta", "moves", &|position, depth, _| depth_first(position, isa, depth))?;
    table("best-first search", "tree", &|position, _, visits| best_first(position, isa, visits))?;
    Ok(search_nodes)
}

fn start(shape: Shape, m: u32) -> anyhow::Result<Position> {
    Ok(Position::start(Arc::new(Board::new(shape, m)?)))
}

/// Returns the sum of all rounds and the seconds that they took.
fn timed(rounds: u32, mut work: impl FnMut() -> u64) -> (u64, f64) {
    let start = Instant::now();
    let sum = (0..rounds).map(|_| work()).sum();
    (sum, start.elapsed().as_secs_f64())
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
    writeln!(out, "{name:<22} {vertices:>9} {counted:>14} {seconds:>9.3} {speed:>12.2}")?;
    Ok(())
}
