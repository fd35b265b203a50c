//! Pairs as tasks that any machine can play which sees the folder of the event.
//!
//! A task's result is a file that appears whole, `tasks/000012.json`; the task does nothing once it is there. The
//! journal is only read: its one writer takes the results in later.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use amazons_program::files::{self, write_whole};
use amazons_program::is_without_locks;
use anyhow::{Context, anyhow};
use thiserror::Error;

use super::event::Event;
use super::identity::unchanged;
use super::overhead::Histogram;
use super::play::GameRunner;
use super::pool::memory_of;
use super::results::{GameLine, TASKS, result_path};
use super::schedule::Pair;

/// Maximum size of a result of two games.
const RESULT_MAX: u64 = 1 << 20;

/// Why a task is not done.
#[derive(Debug, Error)]
pub enum TaskError {
    /// The task that was named, or a file, is another one than is needed.
    #[error("{0}")]
    Refused(String),
    /// The pair cannot be played now.
    #[error(transparent)]
    Failed(#[from] anyhow::Error),
}

/// Plays a pair and leaves its result, unless that is there already or other results decide the event. Fails when there
/// is no such pair, a player's file is another one, or the server fails.
pub fn play_task(event: &mut Event, number: u32) -> Result<(), TaskError> {
    let Some(&pair) = (number as usize).checked_sub(1).and_then(|index| event.schedule().pairs().get(index)) else {
        let advice = "ask 'server tournament tasks' again";
        return Err(TaskError::Refused(format!("there is no pair {number} in the event, or not yet: {advice}")));
    };
    if event.plan().sprt().is_some() {
        task_results(event)?.games.iter().for_each(|line| event.add(line));
    }
    if event.is_over() {
        return Ok(());
    }
    let event = &*event;
    let path = result_path(event.folder(), number);
    let failed = || path.display().to_string();
    let is_done = || matches!(result_of(event, &pair, &path), Ok(Found::Games(_)));
    if event.results().half_points(number).is_some() || is_done() {
        return Ok(());
    }
    fs::create_dir_all(event.folder().join(TASKS)).with_context(failed)?;
    // Two of the same task at a time would write the same files.
    let lock = File::create(path.with_extension("lock")).with_context(failed)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => Err(anyhow!("pair {number} is being played by another process"))?,
        // Without locks, a result that two have damaged is left out and played again.
        Err(TryLockError::Error(source)) if is_without_locks(&source) => {}
        Err(TryLockError::Error(source)) => Err(source).with_context(failed)?,
    }
    if is_done() {
        return Ok(());
    }
    for id in pair.players {
        unchanged(&event.plan().players[id]).map_err(|changed| TaskError::Refused(format!("{changed}: restore it")))?;
    }
    let mut runner = GameRunner::new(event.plan(), event.folder(), memory_of(1))?;
    let mut play = |game| runner.play(event.plan(), &pair, game, &mut Histogram::default());
    let lines = [play(1)?, play(2)?];
    let bytes = serde_json::to_vec(&lines).with_context(failed)?;
    write_whole(&path, &bytes).with_context(failed)?;
    // It is not needed any more, and does no harm.
    let _ = fs::remove_file(path.with_extension("lock"));
    Ok(())
}

/// The results of tasks in a folder.
#[derive(Debug, Default)]
pub struct TaskResults {
    /// The games of finished tasks that the event does not have yet, in the order of the schedule.
    pub games: Vec<GameLine>,
    /// Files that are no results of their pairs, and why not; their tasks are still to be played.
    pub damaged: Vec<(PathBuf, String)>,
}

/// Reads the results of tasks.
pub fn task_results(event: &Event) -> anyhow::Result<TaskResults> {
    let mut results = TaskResults::default();
    if !event.folder().join(TASKS).is_dir() {
        return Ok(results);
    }
    for pair in event.schedule().pairs() {
        if event.results().half_points(pair.number).is_some() {
            continue;
        }
        let path = result_path(event.folder(), pair.number);
        match result_of(event, pair, &path).with_context(|| path.display().to_string())? {
            Found::Nothing => {}
            Found::Games(games) => {
                let is_new = |line: &GameLine| event.results().game(line.pair, line.game).is_none();
                results.games.extend(games.into_iter().filter(is_new));
            }
            Found::Damaged(reason) => results.damaged.push((path, reason)),
        }
    }
    Ok(results)
}

enum Found {
    Nothing,
    Games(Vec<GameLine>),
    Damaged(String),
}

/// Reads the result of a pair's task.
fn result_of(event: &Event, pair: &Pair, path: &Path) -> io::Result<Found> {
    let mut bytes = Vec::new();
    match files::open(path).and_then(|file| file.take(RESULT_MAX).read_to_end(&mut bytes)) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(error),
    }
    let games: [GameLine; 2] = match serde_json::from_slice(&bytes) {
        Ok(games) => games,
        Err(error) => return Ok(Found::Damaged(error.to_string())),
    };
    let names = pair.players.map(|id| &event.plan().players[id].name);
    let is_of_pair =
        |(line, game): (&GameLine, u8)| line.pair == pair.number && line.game == game && line.players.iter().eq(names);
    if games.iter().zip(1..).all(is_of_pair) {
        Ok(Found::Games(games.into()))
    } else {
        Ok(Found::Damaged("not a result of this pair".to_owned()))
    }
}
