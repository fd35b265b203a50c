use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use amazons_engine_player::{Bundled, Found};
use amazons_protocol::Dialect;
use amazons_rules::Position;

use super::options::Options;
use super::reader::{Ended, Reader};
use super::worker::Worker;
use crate::game::GameConfig;
use crate::host::Launcher;
use crate::text::visible;

/// How often to check whether questions before `quit` are answered.
const QUIT_PAUSE: Duration = Duration::from_millis(1);

/// The player behind the lines.
#[derive(Debug)]
pub struct Engine {
    /// Its game against itself: its file, limits and seed.
    pub config: GameConfig,
    /// What its library holds: a bundled player of this build is searched with here.
    pub found: Found,
    /// Whether the command line set the board, which is then UCI's start, too.
    pub has_board: bool,
}

/// Answers lines with moves of a player until the input ends or a line says `quit`.
///
/// Questions before the end of the input are answered; `quit` does not wait for a move that may take long, and ends the
/// player's process.
pub fn talk(launcher: Launcher, engine: Engine, input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let Engine { config, found, has_board } = engine;
    let bundled = if let Found::Bundled(bundled) = found { Some(bundled) } else { None };
    let start = config.position.clone();
    let out = Out {
        to: Mutex::new(output),
        failure: Mutex::new(None),
        asked: Mutex::new(None),
        is_quitting: AtomicBool::new(false),
    };
    let (jobs, work) = channel();
    let memory = bundled.map_or(0, Bundled::memory);
    let uci_start = if has_board { start.clone() } else { Position::standard() };
    let options = Options::new(config.limits.threads, memory, &uci_start);
    thread::scope(|scope| {
        let worker = scope.spawn(|| Worker::new(launcher, config, found, &out).run(work));
        let ended = Reader::new(&out, jobs, [start, uci_start], options, bundled.is_some()).run(input);
        if matches!(ended, Ok(Ended::Quit)) {
            out.is_quitting.store(true, Ordering::SeqCst);
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
    match out.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The output, used by two threads.
pub(super) struct Out<W> {
    to: Mutex<W>,
    failure: Mutex<Option<io::Error>>,
    /// Set while the player is asked for a move: until when `quit` waits for it.
    asked: Mutex<Option<Instant>>,
    /// Set when no more moves are wanted.
    is_quitting: AtomicBool,
}

impl<W: Write> Out<W> {
    pub(super) fn say(&self, line: &str) {
        let mut to = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = writeln!(to, "{line}").and_then(|()| to.flush()) {
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    /// Writes an error in a form that programs of either dialect can skip; it may quote what was read.
    pub(super) fn complain(&self, dialect: Dialect, reason: &str) {
        let reason = visible(reason);
        match dialect {
            Dialect::Aep => self.say(&format!("error {reason}")),
            Dialect::Uci => self.say(&format!("info string error: {reason}")),
        }
    }

    pub(super) fn asked(&self) -> MutexGuard<'_, Option<Instant>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_quitting(&self) -> bool {
        self.is_quitting.load(Ordering::SeqCst)
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}
