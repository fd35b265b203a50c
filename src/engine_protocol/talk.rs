use std::io::{self, BufRead, Write};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use amazons_rules::Position;

use super::Time;
use super::options::Options;
use super::out::Out;
use super::reader::{Ended, Reader};
use super::worker::{Way, Worker};
use crate::game::GameConfig;

/// How often to check whether questions before `quit` are answered.
const QUIT_PAUSE: Duration = Duration::from_millis(1);

/// The player behind the lines.
#[derive(Debug)]
pub struct Engine {
    /// Its game against itself: its file, limits and seed.
    pub config: GameConfig,
    pub way: Way,
    /// The time for a `go` without one.
    pub time: Time,
    /// Whether the command line set the board, which is then UCI's start, too.
    pub has_board: bool,
}

/// Answers lines with moves of a player until the input ends or a line says `quit`.
///
/// Questions before the end of the input are answered; `quit` does not wait for a move that may take long, and ends the
/// player's process.
pub fn talk(engine: Engine, input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let Engine { config, way, time, has_board } = engine;
    let bundled = if let Way::Own(bundled) = way { Some(bundled) } else { None };
    let start = config.position.clone();
    let out = Out::new(output);
    let (jobs, work) = channel();
    let memory = bundled.map_or(0, |bundled| bundled.memory());
    let uci_start = if has_board { start.clone() } else { Position::standard() };
    let options = Options::new(config.limits.threads, memory, &uci_start);
    thread::scope(|scope| {
        let worker = scope.spawn(|| Worker::new(config, way, time, &out).run(work));
        let ended = Reader::new(&out, jobs, [start, uci_start], options, bundled).run(input);
        if matches!(ended, Ok(Ended::Quit)) {
            out.quit();
            while !worker.is_finished() {
                if out.asked().is_some_and(|wanted_until| wanted_until <= Instant::now()) {
                    // The move is no longer wanted, and the player's process ends with this one.
                    std::process::exit(0);
                }
                thread::sleep(QUIT_PAUSE);
            }
        }
        // The channel's sender is gone, so the worker ends when its work is done.
        let _ = worker.join();
        ended.map(|_| ())
    })?;
    out.into_result()
}
