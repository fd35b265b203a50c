//! Players in shared libraries, each in its own process and sandbox.

use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use amazons::engine_protocol::{Session, Time, Trouble};
use amazons::game::{ConfigError, GameArgs, GameConfig, GameSettings};
use amazons::host::{ForkServer, Isolation, Launcher, use_server};
use amazons_rules::Position;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::classes::{PICKLE, PyBoard, PyMove, PyPosition, check_pickle, color_name, is_same, restorer};
use crate::numbers::{Whole, value_error};
use crate::signals::wait;

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
    module.add_class::<PyPlayer>()?;
    module.add_function(wrap_pyfunction!(_player, module)?)
}

/// A player in a shared library, in its own process and sandbox, which start with the first call.
///
/// `path` is that of the library, or the name of a bundled one: "champion", "champion:1" to "champion:8", "alphabeta",
/// "mcts", "territory", "random". `options` are for the player itself, as `AMAZONS_OPTIONS`. Its settings are those of a
/// game on the command line, with underscores: `move_time` in seconds or with a unit ("500ms"), `memory` in bytes or
/// with a unit ("1G"), `threads`, `clock`, `sandbox`, `allow_read` and so on.
///
/// A player knows only its own last move and the answer to it. A position that follows its last one by two moves is its
/// next turn; for any other position it restarts in a fresh process. After a `PlayerError` the next call restarts it.
#[pyclass(name = "Player", module = "amazons", frozen)]
struct PyPlayer {
    made: Made,
    config: GameConfig,
    /// To ask for it again would restart the player.
    name: OnceLock<Option<String>>,
    worker: Mutex<Option<Worker>>,
}

/// Path, board, seed, options and settings as they were given.
type Made = (Py<PyAny>, Py<PyBoard>, u64, Option<String>, Py<PyDict>);

/// The thread that has the player's seat.
struct Worker {
    calls: Sender<Call>,
    parent: Option<Arc<ForkServer>>,
    process: u32,
}

type Call = Box<dyn FnOnce(&mut Session) + Send>;

#[pymethods]
impl PyPlayer {
    #[new]
    #[pyo3(
        signature = (path, board, *, seed = Whole::Number(0), options = None, **settings),
        text_signature = "(path, board, *, seed=0, options=None, **settings)"
    )]
    fn new(
        path: &Bound<'_, PyAny>,
        board: &Bound<'_, PyBoard>,
        seed: Whole,
        options: Option<String>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let seed = seed.within("seed", 0..=u64::MAX)?;
        let kept = settings.map_or_else(|| Ok(PyDict::new(path.py())), |settings| settings.copy())?;
        let made = (path.clone().unbind(), board.clone().unbind(), seed, options.clone(), kept.unbind());
        let programs = path.py().import("amazons._programs")?;
        let found: PathBuf = programs.call_method1("player", (path,))?.extract()?;
        use_server(&programs.getattr("SERVER")?.extract::<PathBuf>()?);
        let settings: GameSettings = match settings {
            Some(settings) => {
                let text: String = programs.call_method1("settings", (settings,))?.extract()?;
                let read = serde_json::from_str(&text).and_then(serde_json::from_value);
                match read {
                    Ok(settings) => settings,
                    Err(error) => {
                        let sentence: String = programs.call_method1("sentence", (error.to_string(),))?.extract()?;
                        return Err(value_error(sentence));
                    }
                }
            }
            None => GameSettings::default(),
        };
        let args = GameArgs { seed: Some(seed), options1: options, ..GameArgs::between([&found, &found], settings) };
        let config =
            GameConfig::of(&args, Position::start(Arc::clone(&board.get().board))).map_err(|error| match error {
                ConfigError::Unreadable { path, source, .. } => unreadable(&path, &source),
                ConfigError::NotALibrary { path, reason, .. } => {
                    value_error(format!("{} is not a shared library: {reason}", path.display()))
                }
                error => value_error(error),
            })?;
        match config.players.iter().all(|player| player.library().is_some()) {
            true => Ok(Self { made, config, name: OnceLock::new(), worker: Mutex::default() }),
            false => Err(value_error("only a shared library can take this seat: other programs play in play_match")),
        }
    }

    /// The name that the player gives itself, or None.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<Option<String>> {
        if let Some(name) = self.name.get() {
            return Ok(name.clone());
        }
        let name = self.ask(py, Session::name)?;
        Ok(self.name.get_or_init(|| name).clone())
    }

    /// Asks for a move, and returns it if it is legal; raises `PlayerError` when the player fails.
    fn play(&self, py: Python<'_>, position: PyRef<'_, PyPosition>) -> PyResult<PyMove> {
        let position = position.position.clone();
        let board = Arc::clone(position.board());
        if !is_same(&board, self.config.position.board()) {
            return Err(value_error("the position belongs to another board than the player"));
        }
        let side = color_name(position.side_to_move());
        let mv = self.ask(py, move |session| session.play(&position, Time::Default).map(|reply| reply.mv))?;
        let mv = mv.ok_or_else(|| value_error(format!("the game is over: {side} cannot move")))?;
        Ok(PyMove { board, mv })
    }

    /// Lets the player end its game, and ends its process; the next call starts it again.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if self.worker.try_lock().is_ok_and(|worker| worker.is_none()) {
            return Ok(());
        }
        self.ask(py, |session| {
            session.end_game();
            Ok(())
        })?;
        if let Ok(mut worker) = self.worker.try_lock() {
            *worker = None;
        }
        Ok(())
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

    /// A copy has a process of its own.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let (path, board, seed, options, settings) = &self.made;
        let (path, board, settings) = (path.clone_ref(py), board.clone_ref(py), settings.clone_ref(py));
        Ok((restorer(py, "_player")?, (PICKLE, path, board, *seed, options.clone(), settings)))
    }
}

/// Version, and what made the player.
type Pickled = (u32, Py<PyAny>, Py<PyBoard>, u64, Option<String>, Py<PyDict>);

#[pyfunction]
fn _player(
    version: u32,
    path: &Bound<'_, PyAny>,
    board: &Bound<'_, PyBoard>,
    seed: Whole,
    options: Option<String>,
    settings: &Bound<'_, PyDict>,
) -> PyResult<PyPlayer> {
    check_pickle(version, PICKLE)?;
    PyPlayer::new(path, board, seed, options, Some(settings))
}

impl PyPlayer {
    /// Makes a call in the player's thread; an interrupt ends the player's process.
    fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&mut Session) -> Result<T, Trouble> + Send + 'static,
    ) -> PyResult<T> {
        let Ok(mut seat) = self.worker.try_lock() else {
            return Err(PyRuntimeError::new_err("another thread waits for this player"));
        };
        let worker = match &mut *seat {
            Some(worker) if worker.process != process::id() => {
                let text = "the player belongs to the process before the fork: make another one";
                return Err(PyRuntimeError::new_err(text));
            }
            Some(worker) => worker,
            empty => empty.insert(Worker::start(self.config.clone())?),
        };
        let (answer, mut answers) = channel();
        // Without its thread no answer comes.
        let _ = worker.calls.send(Box::new(move |session| {
            let _ = answer.send(call(session));
        }));
        match wait(py, &mut answers, None) {
            Ok(Some(answer)) => answer.map_err(|trouble| failure(py, trouble)),
            Ok(None) => Err(PyRuntimeError::new_err("cannot run the player: its thread has ended")),
            Err(interrupt) => {
                if let Some(parent) = &worker.parent {
                    parent.shut_down();
                }
                *seat = None;
                Err(interrupt)
            }
        }
    }
}

impl Worker {
    fn start(config: GameConfig) -> PyResult<Self> {
        let launcher = Launcher::new(Isolation::Process)
            .map_err(|error| PyRuntimeError::new_err(format!("cannot run the player: {error}")))?;
        let parent = launcher.parent().map(Arc::clone);
        let (calls, called) = channel::<Call>();
        let serve = move || {
            let mut session = Session::new(launcher, config);
            called.into_iter().for_each(|call| call(&mut session));
        };
        thread::Builder::new().name("amazons-player".to_owned()).spawn(serve)?;
        Ok(Self { calls, parent, process: process::id() })
    }
}

/// Returns an `OSError`, such as a `FileNotFoundError`.
fn unreadable(path: &Path, source: &io::Error) -> PyErr {
    io::Error::new(source.kind(), format!("cannot read {}: {source}", path.display())).into()
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
