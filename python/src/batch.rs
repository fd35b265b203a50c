use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use amazons::host::available_memory;
use amazons_rules::{Board, Color, Move, MoveList, Vertex};
use numpy::{Element, IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;

use crate::arrays::{Array, Out, input, output, writable};
use crate::classes::{PICKLE, PyBoard, PyPosition, check_pickle, is_same, restorer};
use crate::move_list::{fill, moves_array};
use crate::numbers::{Whole, value_error};
use crate::planes::{self, PLANES};
use crate::random::Random;
use crate::search::{Found, search, spread};
use crate::signals::interruptible;
use crate::staged::{Stage, Staged};
use crate::state::{self, PyState};

/// Number of games between two looks for signals, and of array elements written.
const SLICE_GAMES: usize = 1 << 16;
const SLICE_LEN: usize = 1 << 22;

/// Number of games between two looks for signals on a board of one square; on larger ones there are fewer.
const SLICE_MOVES: usize = 1 << 21;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyBatch>()?;
    module.add_function(wrap_pyfunction!(_batch, module)?)
}

/// Many games at once in arrays; index 0 of each array is the game.
///
/// The calls release the interpreter's lock. They write into `out`, a C-contiguous array of the dtype and shape named,
/// or return a new one; `out` may lie in shared memory. A game that is over stays as it is until `reset`.
/// Each game draws from its own random numbers, so results depend on `seed` and not on `threads`.
///
/// `start` is a position or a state, or a list of them on one board: game i begins at `start[i % len(start)]`, and there
/// are as many games as starts unless `n` is given. `batch[i]` is the `State` of a game, with its moves;
/// `batch[i] = state` begins a game there, now and at each `reset`. Copies and pickles go on with the same random numbers.
#[pyclass(name = "Batch", module = "amazons", frozen, weakref)]
#[derive(Debug)]
pub(crate) struct PyBatch {
    board: Arc<Board>,
    threads: usize,
    count: usize,
    games: Mutex<Games>,
}

/// The games of a batch, for one call at a time.
#[derive(Clone, Debug)]
struct Games {
    board: Arc<Board>,
    games: Vec<BatchGame>,
    threads: usize,
}

#[derive(Clone, Debug)]
struct BatchGame {
    start: Arc<PyState>,
    staged: Staged,
    /// The actions since the start.
    applied: Vec<Vertex>,
    rng: Random,
}

impl BatchGame {
    fn new(start: Arc<PyState>, rng: Random) -> Self {
        Self { staged: start.staged.clone(), start, applied: Vec::new(), rng }
    }

    fn apply(&mut self, action: Vertex) {
        self.staged.apply(action);
        self.applied.push(action);
    }

    fn reset(&mut self) {
        self.staged.position.clone_from(&self.start.staged.position);
        self.staged.stage = self.start.staged.stage;
        self.applied.clear();
    }

    fn state(&self) -> PyState {
        PyState::new(self.staged.clone(), [&self.start.applied[..], &self.applied].concat())
    }
}

impl PyBatch {
    const fn new(board: Arc<Board>, threads: usize, count: usize, games: Games) -> Self {
        Self { board, threads, count, games: Mutex::new(games) }
    }

    fn games(&self) -> PyResult<MutexGuard<'_, Games>> {
        match self.games.try_lock() {
            Ok(games) => Ok(games),
            Err(TryLockError::Poisoned(games)) => Ok(games.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("another thread uses this batch: make one for each thread"))
            }
        }
    }

    /// Returns the number of a game from an index, which may count from the end.
    fn index(&self, index: &Whole) -> PyResult<usize> {
        let from_start = index.get::<i128>().map(|at| if at < 0 { at + self.count as i128 } else { at });
        let found = from_start.and_then(|at| usize::try_from(at).ok()).filter(|&at| at < self.count);
        found.ok_or_else(|| PyIndexError::new_err(format!("no game {index}: the batch has {}", self.count)))
    }
}

/// Reads a position or a state as a start.
fn start_of(given: &Bound<'_, PyAny>) -> PyResult<Arc<PyState>> {
    if let Ok(state) = given.cast::<PyState>() {
        return Ok(Arc::new(state.borrow().clone()));
    }
    let Ok(position) = given.cast::<PyPosition>() else {
        let kind = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!("start: expected a Position, a State or a list of them, got {kind}")));
    };
    Ok(Arc::new(PyState::start(&position.borrow())))
}

/// Checks that a start is on a board.
fn check_board(board: &Arc<Board>, start: &PyState) -> PyResult<()> {
    let other = start.staged.position.board();
    let name = |board: &Arc<Board>| PyBoard { board: Arc::clone(board) }.name();
    match is_same(board, other) {
        true => Ok(()),
        false => Err(value_error(format!("a batch has one board: {} and {} differ", name(board), name(other)))),
    }
}

impl Games {
    fn cells(&self) -> usize {
        self.board.vertex_ids()
    }

    /// Writes the row of each game, on the batch's threads.
    fn write<'py, T: Element + Send>(
        &mut self,
        py: Python<'py>,
        out: Out<'py>,
        row: &[usize],
        f: impl Fn(&mut BatchGame, &mut [T]) + Sync,
    ) -> PyResult<Array<'py, T>> {
        let array = output(py, out, &[&[self.games.len()], row].concat())?;
        let mut locked = writable(&array)?;
        let width: usize = row.iter().product();
        let count = (SLICE_LEN / width).clamp(self.threads, SLICE_GAMES.max(self.threads));
        for (games, rows) in self.games.chunks_mut(count).zip(locked.as_slice_mut()?.chunks_mut(count * width)) {
            py.detach(|| spread(self.threads, games, rows, width, &f));
            py.check_signals()?;
        }
        Ok(array)
    }
}

impl Games {
    /// Checks the row of each game that is not over, and then applies all of them.
    fn advance<T: Copy + Sync>(
        &mut self,
        py: Python<'_>,
        given: &[T],
        width: usize,
        check: impl Fn(&Staged, &[T]) -> Result<(), String> + Sync,
        apply: impl Fn(&mut BatchGame, &[T]) + Sync,
    ) -> PyResult<()> {
        // Another thread may write into the caller's array between the two.
        let given = given.to_vec();
        let mut first = 0;
        for (games, rows) in self.games.chunks(SLICE_GAMES).zip(given.chunks(SLICE_GAMES * width)) {
            let check = |(at, (game, row)): (usize, (&BatchGame, &[T]))| match game.staged.is_over() {
                true => Ok(()),
                false => check(&game.staged, row).map_err(|reason| format!("game {}: {reason}", first + at)),
            };
            py.detach(|| games.iter().zip(rows.chunks(width)).enumerate().try_for_each(check)).map_err(value_error)?;
            py.check_signals()?;
            first += SLICE_GAMES;
        }
        let going = self.games.iter_mut().zip(given.chunks(width)).filter(|(game, _)| !game.staged.is_over());
        py.detach(|| going.for_each(|(game, row)| apply(game, row)));
        Ok(())
    }
}

/// Offsets and moves.
type Moves<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<i32>>);

fn winner(staged: &Staged) -> i8 {
    match staged.position.side_to_move() {
        _ if !staged.is_over() => -1,
        Color::White => 0,
        Color::Black => 1,
    }
}

#[pymethods]
impl PyBatch {
    #[new]
    #[pyo3(
        signature = (start, n = None, *, seed = Whole::Number(0), threads = Whole::Number(1)),
        text_signature = "(start, n=None, *, seed=0, threads=1)"
    )]
    fn make(py: Python<'_>, start: &Bound<'_, PyAny>, n: Option<Whole>, seed: Whole, threads: Whole) -> PyResult<Self> {
        let is_one = start.is_instance_of::<PyPosition>() || start.is_instance_of::<PyState>();
        let starts: Vec<Arc<PyState>> = match start.try_iter() {
            Ok(several) if !is_one => several.map(|start| start_of(&start?)).collect::<PyResult<_>>()?,
            _ => vec![start_of(start)?],
        };
        let Some(first) = starts.first() else { return Err(value_error("start: expected at least one position")) };
        let board = Arc::clone(first.staged.position.board());
        starts.iter().try_for_each(|start| check_board(&board, start))?;
        let n = n.map_or(Ok(starts.len()), |n| n.within("n", 1..=usize::MAX))?;
        let threads = threads.within("threads", 1..=usize::MAX)?.min(n);
        let seed = seed.within("seed", 0..=u64::MAX)?;
        // A game keeps three vertices for each turn, and a turn fills a cell.
        let cost = (size_of::<BatchGame>() + 13 * board.vertex_ids()) as u64;
        let mut games = Vec::new();
        if available_memory().is_some_and(|free| cost.saturating_mul(n as u64) > free) || games.try_reserve(n).is_err()
        {
            return Err(PyMemoryError::new_err(format!("a batch of {n} games does not fit into the memory")));
        }
        for (index, start) in (0..).zip(starts.iter().cycle()).take(n) {
            if index % (SLICE_GAMES as u64 / 16) == 0 {
                py.check_signals()?;
            }
            // The golden ratio spreads neighbouring seeds.
            let rng = Random::new(seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            games.push(BatchGame::new(Arc::clone(start), rng));
        }
        Ok(Self::new(Arc::clone(&board), threads, n, Games { board, games, threads }))
    }

    /// The board.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard { board: Arc::clone(&self.board) }
    }

    const fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("<Batch of {} games on {}>", self.count, self.board().name())
    }

    /// Returns a copy of a game's state.
    fn __getitem__(&self, index: Whole) -> PyResult<PyState> {
        let at = self.index(&index)?;
        Ok(self.games()?.games[at].state())
    }

    /// Begins a game at a state or a position.
    fn __setitem__(&self, index: Whole, start: &Bound<'_, PyAny>) -> PyResult<()> {
        let (at, start) = (self.index(&index)?, start_of(start)?);
        check_board(&self.board, &start)?;
        let game = &mut self.games()?.games[at];
        *game = BatchGame::new(start, game.rng);
        Ok(())
    }

    /// Returns a copy, which draws the same random numbers.
    fn copy(&self) -> PyResult<Self> {
        let games = self.games()?.clone();
        Ok(Self::new(Arc::clone(&self.board), self.threads, self.count, games))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let games = &self.games()?.games;
        let mut starts: Vec<&Arc<PyState>> = Vec::new();
        let mut places = HashMap::new();
        let (mut which, mut counts, mut actions) = (Vec::new(), Vec::new(), Vec::new());
        for game in games {
            let place = *places.entry(Arc::as_ptr(&game.start)).or_insert_with(|| {
                starts.push(&game.start);
                starts.len() - 1
            });
            which.push(place as u64);
            counts.push(game.applied.len() as u64);
            actions.extend_from_slice(&game.applied);
        }
        let starts = starts.into_iter().map(|start| PyState::clone(start)).collect();
        let random: Vec<u64> = games.iter().flat_map(|game| game.rng.0).collect();
        let arrays = [which, counts, random].map(|numbers| numbers.into_pyarray(py));
        Ok((restorer(py, "_batch")?, (PICKLE, self.threads, starts, arrays, actions.into_pyarray(py))))
    }

    /// Starts games again: those where `which`, bool of shape (n,), is set, or all.
    #[pyo3(signature = (which = None))]
    fn reset(&self, py: Python<'_>, which: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let which = which.map(|which| input::<bool>(which, "which", &[self.count])).transpose()?;
        let chosen = which.as_ref().map(|which| which.as_slice()).transpose()?;
        for (index, game) in self.games()?.games.iter_mut().enumerate() {
            if index % (SLICE_GAMES / 16) == 0 {
                py.check_signals()?;
            }
            if chosen.is_none_or(|chosen| chosen[index]) {
                game.reset();
            }
        }
        Ok(())
    }

    /// Searches from each game, all at once, with the caller's own evaluation: returns how often each action was visited,
    /// int32 of shape (n, columns * rows), and the chance of each side to move, float32 of shape (n,), 0 to 1.
    ///
    /// `evaluate` takes the planes of `PLANES`, float32 of shape (k, 10, rows, columns), with k from 1 to n, and returns a
    /// policy of shape (k, columns * rows), weights from 0 of which those of illegal actions are ignored, and the chances
    /// of the sides to move, shape (k,), 0 to 1. Every tree grows by `simulations` walks to a leaf, each along the actions
    /// with the highest bounds (PUCT): the mean chance plus `exploration` times the prior, times the root of the node's
    /// visits, divided by 1 plus those of the action. A quarter of the priors at the roots comes from `noise`, weights of
    /// shape (n, columns * rows), for example `rng.dirichlet([0.3] * cells, n)`. The games stay as they are; one that is
    /// over has no visits and the chance 0.
    #[pyo3(signature = (evaluate, simulations, *, exploration = 1.0, noise = None))]
    fn search<'py>(
        &self,
        evaluate: &Bound<'py, PyAny>,
        simulations: Whole,
        exploration: f32,
        noise: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Found<'py>> {
        let simulations = simulations.within("simulations", 1..=i32::MAX.cast_unsigned())?;
        if !(0.0..f32::INFINITY).contains(&exploration) {
            return Err(value_error(format!("exploration: expected a number from 0, got {exploration}")));
        }
        // Not locked meanwhile: `evaluate` may look at the batch.
        let states = self.games()?.games.iter().map(|game| game.staged.clone()).collect();
        search(states, self.threads, evaluate, simulations, exploration, noise)
    }

    /// Applies an action to each game that is not over; `actions`: int64 of shape (n,).
    ///
    /// Raises ValueError for the first illegal action; then no game has changed.
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = input::<i64>(actions, "actions", &[self.count])?;
        let apply = |game: &mut BatchGame, row: &[i64]| game.apply(u32::try_from(row[0]).unwrap_or_default());
        self.games()?.advance(py, actions.as_slice()?, 1, |staged, row| state::check(staged, row[0]).map(drop), apply)
    }

    /// Plays a whole turn in each game that is not over; `moves`: int32 of shape (n, 3), origin, target and arrow.
    ///
    /// Raises ValueError for the first illegal move, or when a turn has begun; then no game has changed.
    fn play(&self, py: Python<'_>, moves: &Bound<'_, PyAny>) -> PyResult<()> {
        let moves = input::<i32>(moves, "moves", &[self.count, 3])?;
        let id = |id: i32| u32::try_from(id).unwrap_or(u32::MAX);
        let read = |row: &[i32]| Move { from: id(row[0]), to: id(row[1]), arrow: id(row[2]) };
        let check = |staged: &Staged, row: &[i32]| match staged.stage {
            Stage::Queen => {
                if let Some(wrong) = row.iter().find(|id| id.is_negative()) {
                    return Err(format!("{wrong} is not a vertex of the board"));
                }
                staged.position.is_legal(read(row)).map_err(|error| error.describe(staged.position.board()))
            }
            _ => Err("a turn has begun: finish it with step".to_owned()),
        };
        let apply = |game: &mut BatchGame, row: &[i32]| {
            let mv = read(row);
            game.staged.position.play_unchecked(mv);
            game.applied.extend([mv.from, mv.to, mv.arrow]);
        };
        self.games()?.advance(py, moves.as_slice()?, 3, check, apply)
    }

    /// Returns what the next action of each game chooses, 0 queen, 1 target, 2 arrow: int8, shape (n,).
    #[pyo3(signature = (out = None))]
    fn phases<'py>(&self, py: Python<'py>, out: Out<'py>) -> PyResult<Array<'py, i8>> {
        self.games()?.write(py, out, &[], |game, row| row[0] = i8::try_from(game.staged.phase()).unwrap_or_default())
    }

    /// Returns the side to move, 0 Black, 1 White: int8, shape (n,).
    #[pyo3(signature = (out = None))]
    fn sides<'py>(&self, py: Python<'py>, out: Out<'py>) -> PyResult<Array<'py, i8>> {
        self.games()?
            .write(py, out, &[], |game, row| row[0] = i8::from(game.staged.position.side_to_move() == Color::White))
    }

    /// Returns the winner, 0 Black, 1 White, -1 while a game goes on: int8, shape (n,).
    #[pyo3(signature = (out = None))]
    fn winners<'py>(&self, py: Python<'py>, out: Out<'py>) -> PyResult<Array<'py, i8>> {
        self.games()?.write(py, out, &[], |game, row| row[0] = winner(&game.staged))
    }

    /// Returns the legal actions as ones among zeros: int8, shape (n, columns * rows).
    #[pyo3(signature = (out = None))]
    fn masks<'py>(&self, py: Python<'py>, out: Out<'py>) -> PyResult<Array<'py, i8>> {
        self.games()?.write(py, out, &[self.board.vertex_ids()], |game, row| state::mask(&game.staged, row))
    }

    /// Returns the planes of `PLANES`: float32, shape (n, 10, rows, columns).
    #[pyo3(signature = (out = None))]
    fn observations<'py>(&self, py: Python<'py>, out: Out<'py>) -> PyResult<Array<'py, f32>> {
        let board = &self.board;
        let row = [PLANES.len(), board.rows() as usize, board.columns() as usize];
        self.games()?.write(py, out, &row, |game, row| planes::write(&game.staged, row))
    }

    /// Draws a legal action for each game, each with the same chance, -1 where it is over: int64, shape (n,).
    #[pyo3(signature = (out = None))]
    fn sample<'py>(&self, py: Python<'py>, out: Out<'py>) -> PyResult<Array<'py, i64>> {
        self.games()?.write(py, out, &[], |game, row| row[0] = game.staged.sample(&mut game.rng).map_or(-1, i64::from))
    }

    /// Plays `count` random games from each state and returns how many Black wins: int32, shape (n,).
    ///
    /// The states stay as they are.
    #[pyo3(signature = (count, out = None))]
    fn playouts<'py>(&self, py: Python<'py>, count: Whole, out: Out<'py>) -> PyResult<Array<'py, i32>> {
        let count = count.within("count", 0..=i32::MAX.cast_unsigned())?;
        let array = output(py, out, &[self.count])?;
        let mut locked = writable(&array)?;
        let mut inner = self.games()?;
        let (threads, games, wins) = (self.threads, &mut inner.games[..], locked.as_slice_mut()?);
        interruptible(py, |stop| {
            spread(threads, games, wins, 1, &|game, wins| wins[0] = black_wins(game, count, stop));
        })?;
        Ok(array)
    }

    /// Returns all legal moves of all games as one list: offsets, int64 of shape (n + 1,), and moves, int32 of shape
    /// (offsets[n], 3), origin, target and arrow; those of game i are moves[offsets[i]:offsets[i + 1]].
    ///
    /// A game within a turn has the moves of its position before the turn.
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Moves<'py>> {
        let (mut list, mut moves, mut offsets) = (MoveList::new(), Vec::new(), vec![0]);
        // A large board has many moves.
        let inner = self.games()?;
        for games in inner.games.chunks(SLICE_MOVES.div_ceil(inner.cells() * inner.cells())) {
            py.check_signals()?;
            for game in games {
                fill(&mut list, &game.staged.position)?;
                let grows = moves.len() + list.len() > moves.capacity().max(SLICE_LEN);
                let needed = 3 * size_of_val(&moves[..]) as u64;
                if grows && available_memory().is_some_and(|free| free < needed) {
                    return Err(PyMemoryError::new_err("the moves of all games do not fit into the memory"));
                }
                moves.extend_from_slice(&list);
                offsets.push(i64::try_from(moves.len()).unwrap_or(i64::MAX));
            }
        }
        Ok((offsets.into_pyarray(py), moves_array(py, &moves)?))
    }
}

/// Version, threads, starts; the start, the number of actions and the random numbers of each game; all actions.
type Pickled<'py> = (u32, usize, Vec<PyState>, [Bound<'py, PyArray1<u64>>; 3], Bound<'py, PyArray1<u32>>);

#[pyfunction]
fn _batch(
    version: u32,
    threads: usize,
    starts: Vec<PyRef<'_, PyState>>,
    arrays: [Vec<u64>; 3],
    actions: Vec<u32>,
) -> PyResult<PyBatch> {
    check_pickle(version, PICKLE)?;
    let broken = || value_error("the pickle of a batch is broken");
    let starts: Vec<Arc<PyState>> = starts.iter().map(|start| Arc::new(PyState::clone(start))).collect();
    let board = Arc::clone(starts.first().ok_or_else(broken)?.staged.position.board());
    let [which, counts, random] = arrays;
    let (mut games, mut actions) = (Vec::new(), actions.into_iter());
    for ((which, count), random) in which.into_iter().zip(counts).zip(random.chunks_exact(4)) {
        let start = usize::try_from(which).ok().and_then(|which| starts.get(which)).ok_or_else(broken)?;
        check_board(&board, start)?;
        let random = Random([random[0], random[1], random[2], random[3]]);
        let mut game = BatchGame::new(Arc::clone(start), random);
        for _ in 0..count {
            let action = i64::from(actions.next().ok_or_else(broken)?);
            game.apply(state::check(&game.staged, action).map_err(value_error)?);
        }
        games.push(game);
    }
    Ok(PyBatch::new(
        Arc::clone(&board),
        threads.clamp(1, games.len().max(1)),
        games.len(),
        Games { board, games, threads },
    ))
}

fn black_wins(game: &mut BatchGame, count: u32, stop: &AtomicBool) -> i32 {
    let mut wins = 0;
    for _ in 0..count {
        let mut staged = game.staged.clone();
        while staged.stage != Stage::Queen {
            staged.sample(&mut game.rng).into_iter().for_each(|action| staged.apply(action));
        }
        while let Some(mv) = staged.position.random_move(&mut game.rng) {
            staged.position.play_unchecked(mv);
            if stop.load(Ordering::Relaxed) {
                return wins;
            }
        }
        wins += i32::from(staged.position.side_to_move() == Color::White);
    }
    wins
}
