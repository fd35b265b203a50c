//! Solves sets of positions, each a line with its moves and its score: FILE[:FIRST_LINES]...
//!
//! MEMORY is the size of the table in MiB, THREADS the number of threads.

use std::env;
use std::error::Error;
use std::fs;
use std::time::Instant;

use amazons_program::process_time;
use connect4::perfect::Solver;
use connect4::{Position, Size};

fn main() -> Result<(), Box<dyn Error>> {
    let number = |name: &str, default: u64| env::var(name).map_or(Ok(default), |text| text.parse());
    let threads = usize::try_from(number("THREADS", 1)?)?;
    let mut solver = Solver::with_full_table(Size::STANDARD, number("MEMORY", 64)? << 20, threads)?;
    for file in env::args().skip(1) {
        let (file, most) = match file.split_once(':') {
            Some((file, most)) => (file.to_owned(), most.parse()?),
            None => (file, usize::MAX),
        };
        let (mut number, mut wrong, mut seconds, mut cpu) = (0, 0, 0.0, 0.0);
        let nodes = solver.nodes();
        for line in fs::read_to_string(&file)?.lines().take(most) {
            let (moves, score) = line.split_once(' ').ok_or("a line is MOVES SCORE")?;
            let position = Position::from_moves(Size::STANDARD, moves)?;
            solver.clear();
            let (start, cpu_start) = (Instant::now(), process_time());
            let found = solver.score(&position, &|| false);
            seconds += start.elapsed().as_secs_f64();
            cpu += (process_time() - cpu_start).as_secs_f64();
            wrong += u32::from(found != Some(score.trim().parse()?));
            number += 1;
        }
        let (nodes, count) = ((solver.nodes() - nodes) as f64, f64::from(number));
        println!(
            "{file}: {number} positions, {wrong} wrong; each {:.1} positions, {:.4} ms, {:.4} ms of processor time; {:.2} M/s",
            nodes / count,
            seconds * 1e3 / count,
            cpu * 1e3 / count,
            nodes / cpu / 1e6
        );
    }
    Ok(())
}
