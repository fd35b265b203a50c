use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use amazons::host::available_memory;
use amazons_rules::{Color, Move, MoveList, Position};
use numpy::{Element, IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::{PyIndexError, PyMemoryError};
use pyo3::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::arrays::{Array, Out, input, output, writable};
use crate::classes::{PyBoard, PyPosition, value_error};
use crate::move_list::{fill, moves_array};
use crate::planes::{self, PLANES};
use crate::signals::interruptible;
use crate::staged::{Stage, Staged};
use crate::state::{self, PyState};

/// Number of games between two looks for signals, and of array elements written.
const SLICE_GAMES: usize = 1 << 16;
const SLICE_LEN: usize = 1 << 22;

/// Number of games between two looks for signals on a board of one square; on larger ones there are fewer.
const SLICE_MOVES: usize = 1 << 21;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyBatch>()
}

/// Many games at once in arrays; index 0 of each array is the game.
///
/// The calls release the interpreter's lock. They write into `out`, a C-contiguous array of the dtype and shape named,
/// or return a new one; `out` may lie in shared memory. A game that is over stays as it is until `reset`.
/// Each game draws from its own random numbers, so results depend on `seed` and not on `threads`.
#[pyclass(name = "Batch", module = "amazons")]
#[derive(Debug)]
pub(crate) struct PyBatch {
    start: Position,
    games: Vec<BatchGame>,
    threads: usize,
}

#[derive(Debug)]
struct BatchGame {
    staged: Staged,
    rng: Xoshiro256PlusPlus,
}

impl PyBatch {
    fn cells(&self) -> usize {
        self.start.board().vertex_ids()
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

impl PyBatch {
    /// Checks the row of each game that is not over, and then applies all of them.
    fn advance<T: Copy + Sync>(
        &mut self,
        py: Python<'_>,
        given: &[T],
        width: usize,
        check: impl Fn(&Staged, &[T]) -> Result<(), String> + Sync,
        apply: impl Fn(&mut Staged, &[T]) + Sync,
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
        py.detach(|| going.for_each(|(game, row)| apply(&mut game.staged, row)));
        Ok(())
    }
}

/// Calls `f` for each game and its row, in equal shares on the threads.
fn spread<T: Send>(
    threads: usize,
    games: &mut [BatchGame],
    rows: &mut [T],
    width: usize,
    f: &(impl Fn(&mut BatchGame, &mut [T]) + Sync),
) {
    let each = |games: &mut [BatchGame], rows: &mut [T]| {
        games.iter_mut().zip(rows.chunks_mut(width)).for_each(|(game, row)| f(game, row));
    };
    if threads == 1 {
        return each(games, rows);
    }
    let share = games.len().div_ceil(threads);
    thread::scope(|scope| {
        for (games, rows) in games.chunks_mut(share).zip(rows.chunks_mut(share * width)) {
            scope.spawn(move || each(games, rows));
        }
    });
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
    /// Makes `n` games that begin at a position, on up to `threads` threads.
    #[new]
    #[pyo3(signature = (start, n, *, seed = 0, threads = 1))]
    fn new(py: Python<'_>, start: &PyPosition, n: usize, seed: u64, threads: usize) -> PyResult<Self> {
        if n == 0 || threads == 0 {
            return Err(value_error("a batch has at least one game and one thread"));
        }
        let start = start.position.clone();
        let game = |index: u64| BatchGame {
            staged: Staged::new(start.clone()),
            // The golden ratio spreads neighbouring seeds.
            rng: Xoshiro256PlusPlus::seed_from_u64(seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        };
        let cost = (size_of::<BatchGame>() + start.board().vertex_ids()) as u64;
        let mut games = Vec::new();
        if available_memory().is_some_and(|free| cost.saturating_mul(n as u64) > free) || games.try_reserve(n).is_err()
        {
            return Err(PyMemoryError::new_err(format!("a batch of {n} games does not fit into the memory")));
        }
        for index in (0..).take(n) {
            if index % (SLICE_GAMES as u64 / 16) == 0 {
                py.check_signals()?;
            }
            games.push(game(index));
        }
        Ok(Self { start, games, threads: threads.min(n) })
    }

    /// The board.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard { board: self.start.board().clone() }
    }

    fn __len__(&self) -> usize {
        self.games.len()
    }

    /// Returns a copy of a game's state.
    fn __getitem__(&self, index: isize) -> PyResult<PyState> {
        let at = if index < 0 { index + self.games.len().cast_signed() } else { index };
        let game = usize::try_from(at).ok().and_then(|at| self.games.get(at));
        let game =
            game.ok_or_else(|| PyIndexError::new_err(format!("no game {index}: the batch has {}", self.games.len())))?;
        Ok(PyState::new(game.staged.clone()))
    }

    /// Starts games again: those where `which`, bool of shape (n,), is set, or all.
    #[pyo3(signature = (which = None))]
    fn reset(&mut self, py: Python<'_>, which: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let which = which.map(|which| input::<bool>(which, "which", &[self.games.len()])).transpose()?;
        let chosen = which.as_ref().map(|which| which.as_slice()).transpose()?;
        for (index, game) in self.games.iter_mut().enumerate() {
            if index % (SLICE_GAMES / 16) == 0 {
                py.check_signals()?;
            }
            if chosen.is_none_or(|chosen| chosen[index]) {
                game.staged.position.clone_from(&self.start);
                game.staged.stage = Stage::Queen;
            }
        }
        Ok(())
    }

    /// Applies an action to each game that is not over; `actions`: int64 of shape (n,).
    ///
    /// Raises ValueError for the first illegal action; then no game has changed.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = input::<i64>(actions, "actions", &[self.games.len()])?;
        let apply = |staged: &mut Staged, row: &[i64]| staged.apply(u32::try_from(row[0]).unwrap_or_default());
        self.advance(py, actions.as_slice()?, 1, |staged, row| state::check(staged, row[0]).map(drop), apply)
    }

    /// Plays a whole turn in each game that is not over; `moves`: int32 of shape (n, 3), origin, target and arrow.
    ///
    /// Raises ValueError for the first illegal move, or when a turn has begun; then no game has changed.
    fn play(&mut self, py: Python<'_>, moves: &Bound<'_, PyAny>) -> PyResult<()> {
        let moves = input::<i32>(moves, "moves", &[self.games.len(), 3])?;
        let id = |id: i32| u32::try_from(id).unwrap_or(u32::MAX);
        let read = |row: &[i32]| Move { from: id(row[0]), to: id(row[1]), arrow: id(row[2]) };
        let check = |staged: &Staged, row: &[i32]| match staged.stage {
            Stage::Queen => {
                staged.position.is_legal(read(row)).map_err(|error| error.describe(staged.position.board()))
            }
            _ => Err("a turn has begun: finish it with step".to_owned()),
        };
        let apply = |staged: &mut Staged, row: &[i32]| staged.position.play_unchecked(read(row));
        self.advance(py, moves.as_slice()?, 3, check, apply)
    }

    /// Returns what the next action of each game chooses, 0 queen, 1 target, 2 arrow: int8, shape (n,).
    #[pyo3(signature = (out = None))]
    fn phases<'py>(&mut self, py: Python<'py>, out: Out<'py>) -> PyResult<Array<'py, i8>> {
        self.write(py, out, &[], |game, row| row[0] = i8::try_from(game.staged.phase()).unwrap_or_default())
    }

    /// Returns the side to move, 0 Black, 1 White: int8, shape (n,).
    #[pyo3(signature = (out = None))]
    fn sides<'py>(&mut self, py: Python<'py>, out: Out<'py>) -> PyResult<Array<'py, i8>> {
        self.write(py, out, &[], |game, row| row[0] = i8::from(game.staged.position.side_to_move() == Color::White))
    }

    /// Returns the winner, 0 Black, 1 White, -1 while a game goes on: int8, shape (n,).
    #[pyo3(signature = (out = None))]
    fn winners<'py>(&mut self, py: Python<'py>, out: Out<'py>) -> PyResult<Array<'py, i8>> {
        self.write(py, out, &[], |game, row| row[0] = winner(&game.staged))
    }

    /// Returns the legal actions as ones among zeros: int8, shape (n, columns * rows).
    #[pyo3(signature = (out = None))]
    fn masks<'py>(&mut self, py: Python<'py>, out: Out<'py>) -> PyResult<Array<'py, i8>> {
        self.write(py, out, &[self.cells()], |game, row| state::mask(&game.staged, row))
    }

    /// Returns the planes of `PLANES`: float32, shape (n, 10, rows, columns).
    #[pyo3(signature = (out = None))]
    fn observations<'py>(&mut self, py: Python<'py>, out: Out<'py>) -> PyResult<Array<'py, f32>> {
        let board = self.start.board();
        let row = [PLANES.len(), board.rows() as usize, board.columns() as usize];
        self.write(py, out, &row, |game, row| planes::write(&game.staged, row))
    }

    /// Draws a legal action for each game, each with the same chance, -1 where it is over: int64, shape (n,).
    #[pyo3(signature = (out = None))]
    fn sample<'py>(&mut self, py: Python<'py>, out: Out<'py>) -> PyResult<Array<'py, i64>> {
        self.write(py, out, &[], |game, row| row[0] = game.staged.sample(&mut game.rng).map_or(-1, i64::from))
    }

    /// Plays `count` random games from each state and returns how many Black wins: int32, shape (n,).
    ///
    /// The states stay as they are.
    #[pyo3(signature = (count, out = None))]
    fn playouts<'py>(&mut self, py: Python<'py>, count: u32, out: Out<'py>) -> PyResult<Array<'py, i32>> {
        let array = output(py, out, &[self.games.len()])?;
        let mut locked = writable(&array)?;
        let (threads, games, wins) = (self.threads, &mut self.games[..], locked.as_slice_mut()?);
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
        for games in self.games.chunks(SLICE_MOVES.div_ceil(self.cells() * self.cells())) {
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
