//! The engine: analyses that can be stopped, streamed and interrupted, and values of many positions.

use std::num::NonZeroU32;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use amazons::analysis::{Analyst, Candidate, Certain, Effort, Judgement, Reports};
use amazons::host::available_memory;
use amazons_engine::{AnyGame, EngineConfig, EvalTable, Game, Isa, Level, Method, ownership};
use amazons_rules::{Board, Position};
use amazons_search::MctsConfig;
use numpy::{IntoPyArray, PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::classes::{PICKLE, PyBoard, PyMove, PyPosition, check_pickle, color_name, is_same, parse_color, restorer};
use crate::numbers::{Whole, value_error};
use crate::signals::{interruptible, wait};
use crate::state::PyState;

/// The memory of the tree where none is given, in bytes; at most a quarter of what is free.
const DEFAULT_MEMORY: u64 = 512 << 20;
/// The smallest tree, in bytes.
const MIN_MEMORY: u64 = 16 << 20;
const MAX_THREADS: u32 = 1024;
/// Positions that are evaluated between two looks at the interpreter.
const PART: usize = 1024;
/// The longest time, in seconds.
const MAX_TIME: f64 = 1e9;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyEngine>()?;
    module.add_class::<PyAnalysis>()?;
    module.add_class::<PyLine>()?;
    module.add_class::<PyStream>()?;
    module.add_function(wrap_pyfunction!(_engine, module)?)?;
    module.add_function(wrap_pyfunction!(_line, module)?)?;
    module.add_function(wrap_pyfunction!(_analysis, module)?)
}

/// The engine of the champion on one board.
///
/// `threads` search, and their tree takes `memory` bytes at most: by default 512 MiB, but at most a quarter of what is
/// free. With a `level` from 1 to 8 it is weaker, some 200 Elo from one level to the next, and as weak on any machine;
/// level 1 is between `random` and `territory`. `seed` decides between moves that a level finds about equal.
///
/// It keeps nothing from one position to the next: with a limit of nodes and one thread, the same position always gives
/// the same result. An engine analyses one position at a time.
///
/// Limits of an analysis: `time` in seconds by the clock on the wall (`math.inf`: until it is stopped), `nodes` in
/// visits of the tree, `depth` in half-moves of the longest line. The first one that is reached ends it, and so does a
/// proof of who wins. Without a limit an analysis takes one second.
#[pyclass(name = "Engine", module = "amazons", frozen, weakref)]
struct PyEngine {
    settings: Settings,
    analyst: Analyst,
    game: AnyGame,
    board: Arc<Board>,
    running: Arc<Mutex<Option<Running>>>,
}

/// Threads, memory, level and seed as they were given.
type Settings = (u32, Option<u64>, Option<u32>, u64);

/// The running search of an engine.
struct Running {
    stop: Arc<AtomicBool>,
    /// A fork has a copy of the engine, but not the thread that searches.
    process: u32,
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(
        signature = (board, *, threads = Whole::Number(1), memory = None, level = None, seed = Whole::Number(0)),
        text_signature = "(board, *, threads=1, memory=None, level=None, seed=0)"
    )]
    fn new(
        board: &PyBoard,
        threads: Whole,
        memory: Option<Whole>,
        level: Option<Whole>,
        seed: Whole,
    ) -> PyResult<Self> {
        let memory = memory.map(|memory| memory.within("memory", MIN_MEMORY..=u64::MAX)).transpose()?;
        let level = level.map(|level| level.within("level", 1..=Level::COUNT)).transpose()?;
        let settings = (threads.within("threads", 1..=MAX_THREADS)?, memory, level, seed.within("seed", 0..=u64::MAX)?);
        Self::with(board, settings)
    }

    /// The board.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard { board: Arc::clone(&self.board) }
    }

    /// Analyses a position: the chance to win and the `multipv` best lines; with `ownership` also how likely each
    /// vertex is to become either side's territory.
    ///
    /// An analysis that `stop` ends returns what it has found.
    #[pyo3(
        signature = (position, *, time = None, nodes = None, depth = None, multipv = Whole::Number(1), ownership = false),
        text_signature = "(self, position, *, time=None, nodes=None, depth=None, multipv=1, ownership=False)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn analyse(
        &self,
        py: Python<'_>,
        position: PyRef<'_, PyPosition>,
        time: Option<f64>,
        nodes: Option<Whole>,
        depth: Option<Whole>,
        multipv: Whole,
        ownership: bool,
    ) -> PyResult<PyAnalysis> {
        let mut search = self.search(&position, time, nodes, depth, &multipv, None)?;
        let mut last = None;
        while let Some(judgement) = search.next(py)? {
            last = Some(judgement);
        }
        let judgement = last.ok_or_else(|| PyRuntimeError::new_err("the search ended without a result"))?;
        search.analysis(py, judgement, ownership)
    }

    /// Analyses a position as an iterator: yields an `Analysis` every `every` seconds, and the final one at the end.
    ///
    /// To leave the loop ends the search.
    #[pyo3(
        signature = (position, *, time = None, nodes = None, depth = None, multipv = Whole::Number(1), every = 0.1),
        text_signature = "(self, position, *, time=None, nodes=None, depth=None, multipv=1, every=0.1)"
    )]
    fn stream(
        &self,
        position: PyRef<'_, PyPosition>,
        time: Option<f64>,
        nodes: Option<Whole>,
        depth: Option<Whole>,
        multipv: Whole,
        every: f64,
    ) -> PyResult<PyStream> {
        let every = seconds("every", every)?;
        let search = self.search(&position, time, nodes, depth, &multipv, Some(every))?;
        Ok(PyStream(Mutex::new(Some(search))))
    }

    /// Returns the best move of a position.
    #[pyo3(signature = (position, *, time = None, nodes = None, depth = None))]
    fn play(
        &self,
        py: Python<'_>,
        position: PyRef<'_, PyPosition>,
        time: Option<f64>,
        nodes: Option<Whole>,
        depth: Option<Whole>,
    ) -> PyResult<Py<PyMove>> {
        let side = color_name(position.position.side_to_move());
        let analysis = self.analyse(py, position, time, nodes, depth, Whole::Number(1), false)?;
        analysis.best.ok_or_else(|| value_error(format!("the game is over: {side} cannot move")))
    }

    /// Stops the running analysis, from any thread; without one, nothing happens.
    fn stop(&self) {
        if let Some(running) = &*self.running.lock().unwrap_or_else(PoisonError::into_inner) {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the chance that the side to move wins each position, by the network alone, without a search: an array of
    /// float32 of shape (N,), 0 to 1, and 0 where the side to move has lost. `positions` may be a `Batch`, or states, in
    /// which no turn has begun.
    fn values<'py>(&self, py: Python<'py>, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let (mut positions, mut values, mut part) = (positions.try_iter()?, Vec::new(), Vec::new());
        loop {
            for position in positions.by_ref().take(PART) {
                let position = Self::whole_turn(&position?)?;
                self.check_board(&position)?;
                part.push(position);
            }
            if part.is_empty() {
                return Ok(values.into_pyarray(py));
            }
            let left = part.drain(..);
            values.extend(interruptible(py, |stop| {
                let going = left.take_while(|_| !stop.load(Ordering::Relaxed));
                going.map(|position| self.value(&position)).collect::<Vec<_>>()
            })?);
            py.check_signals()?;
        }
    }

    fn __repr__(&self) -> String {
        format!("<Engine on {}>", self.board().name())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (u32, PyBoard, Settings))> {
        Ok((restorer(py, "_engine")?, (PICKLE, self.board(), self.settings)))
    }
}

impl PyEngine {
    fn with(board: &PyBoard, settings: Settings) -> PyResult<Self> {
        let (threads, memory, level, seed) = settings;
        let memory =
            memory.unwrap_or_else(|| available_memory().map_or(DEFAULT_MEMORY, |free| DEFAULT_MEMORY.min(free / 4)));
        let method = Method::BestFirst(MctsConfig {
            memory_bytes: usize::try_from(memory).map_err(value_error)?,
            threads: threads as usize,
            ..MctsConfig::default()
        });
        let board = Arc::clone(&board.board);
        let effort = Effort { threads: NonZeroU32::new(threads).unwrap_or(NonZeroU32::MIN), ..Effort::default() };
        let config = EngineConfig { level: level.and_then(Level::new), seed, ..EngineConfig::new(method) };
        let analyst = Analyst::with_config(&board, effort, config).map_err(value_error)?;
        let game = AnyGame::new(Arc::clone(&board), Arc::new(EvalTable::standard()), Isa::best());
        Ok(Self { settings, analyst, game, board, running: Arc::default() })
    }

    fn check_board(&self, position: &Position) -> PyResult<()> {
        match is_same(position.board(), &self.board) {
            true => Ok(()),
            false => Err(value_error("the position belongs to another board than the engine")),
        }
    }

    /// Returns a position, or that of a state between two turns.
    fn whole_turn(given: &Bound<'_, PyAny>) -> PyResult<Position> {
        let Ok(state) = given.cast::<PyState>() else {
            return Ok(given.cast::<PyPosition>()?.borrow().position.clone());
        };
        let staged = &state.borrow().staged;
        match staged.phase() {
            0 => Ok(staged.position.clone()),
            _ => Err(value_error("a turn has begun in a state: the network judges whole turns")),
        }
    }

    /// Returns the chance of the side to move by the network.
    fn value(&self, position: &Position) -> f32 {
        match &self.game {
            AnyGame::Small(game) => chance(game, position),
            AnyGame::Medium(game) => chance(game, position),
            AnyGame::Large(game) => chance(game, position),
            AnyGame::Graph(game) => chance(game, position),
        }
    }

    /// Starts a search.
    fn search(
        &self,
        position: &PyPosition,
        time: Option<f64>,
        nodes: Option<Whole>,
        depth: Option<Whole>,
        multipv: &Whole,
        every: Option<Duration>,
    ) -> PyResult<Search> {
        let position = position.position.clone();
        self.check_board(&position)?;
        let nodes = nodes.map(|nodes| nodes.within("nodes", 1..=u64::MAX)).transpose()?;
        let depth = depth.map(|depth| depth.within("depth", 1..=u32::MAX)).transpose()?;
        let multipv = multipv.within("multipv", 1..=usize::MAX)?;
        let time = match time {
            Some(f64::INFINITY) => None,
            Some(time) => Some(seconds("time", time)?),
            None => Effort::new(None, nodes, depth, None).time,
        };
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.as_ref().is_some_and(|running| running.process == process::id()) {
            return Err(PyRuntimeError::new_err(
                "the engine is busy with an analysis: stop that, or make another engine",
            ));
        }
        let (stop, begun) = (Arc::new(AtomicBool::new(false)), Instant::now());
        let analyst = self.analyst.with_effort(Effort { nodes, depth, ..Effort::default() });
        let (sender, judgements) = sync_channel(1);
        let (root, flag) = (position.clone(), Arc::clone(&stop));
        let run = move || follow(&analyst, &root, multipv, Reports { stop: &flag, every }, &sender);
        let thread = thread::Builder::new().name("amazons-search".to_owned()).spawn(run)?;
        *running = Some(Running { stop: Arc::clone(&stop), process: process::id() });
        Ok(Search {
            position,
            stop,
            judgements: Some(judgements),
            thread: Some(thread),
            process: process::id(),
            begun,
            deadline: time.map(|time| begun + time),
            running: Arc::clone(&self.running),
        })
    }
}

/// Reads a time in seconds.
fn seconds(name: &str, time: f64) -> PyResult<Duration> {
    match time > 0.0 && time <= MAX_TIME {
        true => Ok(Duration::from_secs_f64(time)),
        false => Err(value_error(format!("{name}: expected seconds above 0, at most {MAX_TIME:e}, got {time:?}"))),
    }
}

/// Searches, and sends the results; reports that come too fast for their reader are left out.
fn follow(analyst: &Analyst, position: &Position, count: usize, reports: Reports<'_>, to: &SyncSender<Judgement>) {
    let last = analyst.judge_while(position, count, reports, &mut |judgement| {
        let _ = to.try_send(judgement.clone());
    });
    // Its reader may have gone.
    let _ = to.send(last);
}

/// Returns the chance of the side to move.
fn chance<G: Game>(game: &G, position: &Position) -> f32 {
    let state = game.state(position);
    if game.is_blocked(&state) { 0.0 } else { game.evaluate(&state).chance(position) }
}

/// A search on its own thread, which ends with it.
struct Search {
    position: Position,
    stop: Arc<AtomicBool>,
    judgements: Option<Receiver<Judgement>>,
    thread: Option<JoinHandle<()>>,
    process: u32,
    begun: Instant,
    deadline: Option<Instant>,
    running: Arc<Mutex<Option<Running>>>,
}

impl Search {
    /// Waits for the next result; returns `None` after the last one, and raises what a signal handler raises.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Judgement>> {
        if self.process != process::id() {
            return Err(PyRuntimeError::new_err("the analysis belongs to the process before the fork"));
        }
        let Some(judgements) = &mut self.judgements else { return Ok(None) };
        let found = wait(py, judgements, self.deadline)?;
        if found.is_some() {
            return Ok(found);
        }
        // The time is over, or the search has ended by itself.
        self.stop.store(true, Ordering::Relaxed);
        self.deadline = None;
        wait(py, judgements, None)
    }

    fn analysis(&self, py: Python<'_>, judgement: Judgement, with_ownership: bool) -> PyResult<PyAnalysis> {
        let (position, time) = (&self.position, self.begun.elapsed().as_secs_f64());
        let board = position.board();
        let line = |Candidate { moves, win, certain, visits }| {
            let moves = moves.into_iter().map(|mv| Py::new(py, PyMove { board: Arc::clone(board), mv }));
            let moves = moves.collect::<PyResult<_>>()?;
            Py::new(py, PyLine { moves, chance: win, winner: winner(certain), visits })
        };
        let Judgement { win: chance, certain, nodes, depth, .. } = judgement;
        let lines = judgement.candidates.into_iter().map(line).collect::<PyResult<Vec<_>>>()?;
        let best = lines.first().and_then(|line| Some(line.get().moves.first()?.clone_ref(py)));
        let owned = with_ownership.then(|| {
            let owned = py.detach(|| ownership(position));
            let shape = [2, board.rows() as usize, board.columns() as usize];
            Ok::<_, PyErr>([owned.black, owned.white].concat().into_pyarray(py).reshape(shape)?.unbind())
        });
        let winner = winner(certain);
        Ok(PyAnalysis { best, chance, winner, lines, nodes, depth, time, ownership: owned.transpose()? })
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        if self.process != process::id() {
            // A fork does not have the thread, which may have held a lock of their channel.
            std::mem::forget((self.thread.take(), self.judgements.take()));
            return;
        }
        self.stop.store(true, Ordering::Relaxed);
        self.judgements = None;
        if let Some(thread) = self.thread.take() {
            // It ends within about a millisecond and never waits for the interpreter.
            let _ = thread.join();
        }
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The results of a running analysis, see `Engine.stream`.
#[pyclass(name = "Stream", module = "amazons", frozen)]
struct PyStream(Mutex<Option<Search>>);

#[pymethods]
impl PyStream {
    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyAnalysis>> {
        let Ok(mut search) = self.0.try_lock() else {
            return Err(PyRuntimeError::new_err("another thread waits for this analysis"));
        };
        let Some(running) = &mut *search else { return Ok(None) };
        match running.next(py) {
            Ok(Some(judgement)) => running.analysis(py, judgement, false).map(Some),
            ended => {
                *search = None;
                ended.map(|_| None)
            }
        }
    }

    /// Ends the search; what it has found since the last result is lost.
    fn close(&self) {
        if let Ok(mut search) = self.0.try_lock() {
            *search = None;
        }
    }
}

/// The result of an analysis.
#[pyclass(name = "Analysis", module = "amazons", frozen, get_all)]
struct PyAnalysis {
    /// The best move; None when the side to move has lost.
    best: Option<Py<PyMove>>,
    /// The chance that the side to move wins, 0 to 1; 0 and 1 are proven.
    chance: f32,
    /// "black" or "white" if it is proven who wins, else None.
    winner: Option<&'static str>,
    /// The lines, best first: as many as `multipv` asked for, or fewer where there are fewer moves.
    lines: Vec<Py<PyLine>>,
    /// The visits of the tree.
    nodes: u64,
    /// The half-moves of the longest line: the step of a queen and its arrow are two.
    depth: u32,
    /// The seconds since the analysis began.
    time: f64,
    /// The probability that each vertex becomes territory of Black ([0]) and of White ([1]): an array of float32 of
    /// shape (2, rows, columns), rows from the top, 0 for stones and holes; None unless it was asked for.
    ownership: Option<Py<PyArray3<f32>>>,
}

/// A move and its best continuation.
#[pyclass(name = "Line", module = "amazons", frozen, get_all)]
struct PyLine {
    /// The move, then the best play of both sides.
    moves: Vec<Py<PyMove>>,
    /// The chance that the side to move wins with this move, 0 to 1.
    chance: f32,
    /// "black" or "white" if it is proven who wins after this move, else None.
    winner: Option<&'static str>,
    /// The visits of the tree through this move.
    visits: u64,
}

#[pymethods]
impl PyAnalysis {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, PickledAnalysis)> {
        let Self { best, chance, winner, lines, nodes, depth, time, ownership } = self;
        let best = best.as_ref().map(|best| best.clone_ref(py));
        let lines = lines.iter().map(|line| line.clone_ref(py)).collect();
        let ownership = ownership.as_ref().map(|owned| owned.clone_ref(py));
        let numbers = (*chance, *nodes, *depth, *time);
        Ok((restorer(py, "_analysis")?, (PICKLE, best, winner.map(str::to_owned), lines, numbers, ownership)))
    }

    fn __repr__(&self) -> String {
        let best = self.best.as_ref().map_or_else(|| "no move".to_owned(), text);
        let proven = if self.winner.is_some() { ", proven" } else { "" };
        format!("<Analysis {best}, {:.1} %{proven}, {} nodes>", 100.0 * self.chance, self.nodes)
    }
}

/// Version, best move, winner, lines, numbers (chance, nodes, depth, time), ownership.
type PickledAnalysis =
    (u32, Option<Py<PyMove>>, Option<String>, Vec<Py<PyLine>>, (f32, u64, u32, f64), Option<Py<PyArray3<f32>>>);

#[pyfunction]
fn _analysis(
    version: u32,
    best: Option<Py<PyMove>>,
    winner: Option<String>,
    lines: Vec<Py<PyLine>>,
    numbers: (f32, u64, u32, f64),
    ownership: Option<Py<PyArray3<f32>>>,
) -> PyResult<PyAnalysis> {
    check_pickle(version, PICKLE)?;
    let (chance, nodes, depth, time) = numbers;
    let winner = winner.map(|winner| parse_color(&winner)).transpose()?.map(color_name);
    Ok(PyAnalysis { best, chance, winner, lines, nodes, depth, time, ownership })
}

#[pyfunction]
fn _line(version: u32, moves: Vec<Py<PyMove>>, chance: f32, winner: Option<String>, visits: u64) -> PyResult<PyLine> {
    check_pickle(version, PICKLE)?;
    let winner = winner.map(|winner| parse_color(&winner)).transpose()?.map(color_name);
    Ok(PyLine { moves, chance, winner, visits })
}

#[pyfunction]
fn _engine(version: u32, board: &PyBoard, settings: Settings) -> PyResult<PyEngine> {
    check_pickle(version, PICKLE)?;
    PyEngine::with(board, settings)
}

#[pymethods]
impl PyLine {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, PickledLine)> {
        let moves = self.moves.iter().map(|mv| mv.clone_ref(py)).collect();
        Ok((restorer(py, "_line")?, (PICKLE, moves, self.chance, self.winner, self.visits)))
    }

    fn __repr__(&self) -> String {
        let moves: Vec<String> = self.moves.iter().map(text).collect();
        format!("<Line {}, {:.1} %, {} visits>", moves.join(" "), 100.0 * self.chance, self.visits)
    }
}

/// Version, moves, chance, winner, visits.
type PickledLine = (u32, Vec<Py<PyMove>>, f32, Option<&'static str>, u64);

fn text(mv: &Py<PyMove>) -> String {
    let PyMove { board, mv } = mv.get();
    board.move_text(*mv)
}

fn winner(certain: Option<Certain>) -> Option<&'static str> {
    certain.map(|certain| color_name(certain.winner))
}
