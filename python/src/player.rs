//! Players in shared libraries, each in its own process and sandbox.

use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use amazons::engine_protocol::{Session, Time, Trouble};
use amazons::game::{ConfigError, GameArgs, GameConfig, GameSettings};
use amazons::host::{ForkServer, HostError, Isolation, Launcher, use_server};
use amazons_rules::{Move, Position};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::board::{PyBoard, is_same, value_error};
use crate::moves::PyMove;
use crate::position::{PyPosition, color_name};
use crate::signals::SLICE;

create_exception!(
    amazons,
    PlayerError,
    PyException,
    "The failure of a player.\n\n`kind` is the verdict as in records: \"crash\", \"exit\", \"timeout\", \"illegal_move\", \
     \"load_error\",\n\"protocol_error\", \"violation\" or \"out_of_memory\". `call` is the function that failed: \
     \"load\", \"initialize\",\n\"get_player_name\", \"play\" or \"finalize\". `detail` tells what happened; `signal`, \
     `exit_code` and `backtrace` are\nthose of its process, if known."
);

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("PlayerError", module.py().get_type::<PlayerError>())?;
    module.add_class::<PyPlayer>()
}

/// A player in a shared library, in its own process and sandbox.
///
/// A player knows only its own last move and the answer to it. A position that follows its last one by two moves is its
/// next turn; for any other position it restarts in a fresh process. After a `PlayerError` the next call restarts it.
#[pyclass(name = "Player", module = "amazons", frozen)]
struct PyPlayer {
    config: GameConfig,
    worker: Mutex<Option<Worker>>,
}

/// The thread that has the player's seat.
struct Worker {
    asks: Sender<Ask>,
    answers: Receiver<Result<Answer, Trouble>>,
    parent: Option<Arc<ForkServer>>,
    process: u32,
}

enum Ask {
    Name,
    Play(Box<Position>),
    End,
}

enum Answer {
    Name(Option<String>),
    Move(Option<Move>),
    Ended,
}

#[pymethods]
impl PyPlayer {
    /// Prepares a player: the path of a library, or the name of a bundled one ("champion", "alphabeta", "mcts",
    /// "territory", "random"). Its process starts with the first call.
    ///
    /// Its settings are those of a game on the command line, with underscores: `move_time` in seconds or with a unit
    /// ("500ms"), `memory` in bytes or with a unit ("1G"), `threads`, `clock`, `sandbox`, `allow_read` and so on.
    #[new]
    #[pyo3(signature = (path, board, *, seed = 0, **settings))]
    fn new(
        path: &Bound<'_, PyAny>,
        board: PyRef<'_, PyBoard>,
        seed: u64,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let programs = path.py().import("amazons._programs")?;
        let found: PathBuf = programs.call_method1("player", (path,))?.extract()?;
        use_server(&programs.getattr("SERVER")?.extract::<PathBuf>()?);
        let settings: GameSettings = match settings {
            Some(settings) => {
                let text: String = programs.call_method1("settings", (settings,))?.extract()?;
                serde_json::from_str(&text).and_then(serde_json::from_value).map_err(value_error)?
            }
            None => GameSettings::default(),
        };
        let args = GameArgs { seed: Some(seed), ..GameArgs::between([&found, &found], settings) };
        let config = GameConfig::of(&args, Position::start(Arc::clone(&board.board))).map_err(|error| match error {
            ConfigError::Unreadable { path, source, .. } => unreadable(&path, &source),
            ConfigError::NotALibrary { path, reason, .. } => {
                value_error(format!("{} is not a shared library: {reason}", path.display()))
            }
            error => value_error(error),
        })?;
        match config.players.iter().all(|player| player.library().is_some()) {
            true => Ok(Self { config, worker: Mutex::default() }),
            false => Err(value_error("only a shared library can take this seat: other programs play in play_match")),
        }
    }

    /// The name that the player gives itself, or None.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<Option<String>> {
        match self.ask(py, Ask::Name)? {
            Answer::Name(name) => Ok(name),
            Answer::Move(_) | Answer::Ended => Err(out_of_step()),
        }
    }

    /// Asks for a move, and returns it if it is legal; raises `PlayerError` when the player fails.
    fn play(&self, py: Python<'_>, position: PyRef<'_, PyPosition>) -> PyResult<PyMove> {
        let position = position.position.clone();
        let board = Arc::clone(position.board());
        if !is_same(&board, self.config.position.board()) {
            return Err(value_error("the position belongs to another board than the player"));
        }
        let side = color_name(position.side_to_move());
        match self.ask(py, Ask::Play(Box::new(position)))? {
            Answer::Move(Some(mv)) => Ok(PyMove { board, mv }),
            Answer::Move(None) => Err(value_error(format!("the game is over: {side} cannot move"))),
            Answer::Name(_) | Answer::Ended => Err(out_of_step()),
        }
    }

    /// Lets the player end its game, and ends its process; the next call starts it again.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let is_closed = self.worker.try_lock().is_ok_and(|worker| worker.is_none());
        if is_closed { Ok(()) } else { self.ask(py, Ask::End).map(|_| ()) }
    }

    const fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_reason))]
    fn __exit__(&self, py: Python<'_>, _reason: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        format!("<Player {}>", self.config.players[0].typed().display())
    }
}

impl PyPlayer {
    /// Makes a call in the player's thread; an interrupt ends the player's process.
    fn ask(&self, py: Python<'_>, ask: Ask) -> PyResult<Answer> {
        let Ok(mut seat) = self.worker.try_lock() else {
            return Err(PyRuntimeError::new_err("another thread waits for this player"));
        };
        if seat.as_ref().is_some_and(|worker| worker.process != process::id()) {
            return Err(PyRuntimeError::new_err("the player belongs to the process before the fork: make another one"));
        }
        let worker = match &mut *seat {
            Some(worker) => worker,
            empty => empty.insert(Worker::start(self.config.clone())?),
        };
        let is_end = matches!(ask, Ask::End);
        // Its answer shows whether the worker is still there.
        let _ = worker.asks.send(ask);
        let answer = loop {
            let answers = &mut worker.answers;
            match py.detach(move || answers.recv_timeout(SLICE)) {
                Ok(answer) => break answer.map_err(|trouble| failure(py, trouble)),
                Err(RecvTimeoutError::Disconnected) => break Err(out_of_step()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(interrupt) = py.check_signals() {
                if let Some(parent) = &worker.parent {
                    parent.shut_down();
                }
                *seat = None;
                return Err(interrupt);
            }
        };
        if is_end {
            *seat = None;
        }
        answer
    }
}

impl Worker {
    fn start(config: GameConfig) -> PyResult<Self> {
        let launcher = Launcher::new(Isolation::Process).map_err(host_error)?;
        let parent = launcher.parent().map(Arc::clone);
        let (asks, asked) = channel();
        let (answer, answers) = channel();
        let serve = move || {
            let mut session = Session::new(launcher, config);
            for ask in asked {
                let answered = match ask {
                    Ask::Name => session.name().map(Answer::Name),
                    Ask::Play(position) => session.play(&position, Time::Default).map(|reply| Answer::Move(reply.mv)),
                    Ask::End => {
                        session.end_game();
                        Ok(Answer::Ended)
                    }
                };
                if answer.send(answered).is_err() {
                    break;
                }
            }
        };
        thread::Builder::new().name("amazons-player".to_owned()).spawn(serve)?;
        Ok(Self { asks, answers, parent, process: process::id() })
    }
}

/// Returns an `OSError`, such as a `FileNotFoundError`.
fn unreadable(path: &Path, source: &io::Error) -> PyErr {
    io::Error::new(source.kind(), format!("cannot read {}: {source}", path.display())).into()
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn host_error(error: HostError) -> PyErr {
    PyRuntimeError::new_err(format!("cannot run the player: {error}"))
}

fn out_of_step() -> PyErr {
    PyRuntimeError::new_err("cannot run the player: its thread has ended")
}

/// Returns the exception for a player's failure, or for ours.
fn failure(py: Python<'_>, trouble: Trouble) -> PyErr {
    let text = trouble.to_string();
    let (kind, call, detail, ending) = match trouble {
        Trouble::Player(fault) => {
            let ending = (fault.signal, fault.exit_code, fault.backtrace);
            (fault.termination.name(), fault.call.to_string(), fault.detail, ending)
        }
        Trouble::Illegal(detail) => ("illegal_move", "play".to_owned(), detail, Default::default()),
        Trouble::Queens(..) => return value_error(text),
        Trouble::Void(_) => return PyRuntimeError::new_err(text),
    };
    let error = PlayerError::new_err(text);
    let value = error.value(py);
    let set = || -> PyResult<()> {
        value.setattr("kind", kind)?;
        value.setattr("call", call)?;
        value.setattr("detail", detail)?;
        value.setattr("signal", ending.0)?;
        value.setattr("exit_code", ending.1)?;
        value.setattr("backtrace", ending.2)
    };
    match set() {
        Ok(()) => error,
        Err(failed) => failed,
    }
}
