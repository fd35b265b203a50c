//! Pairs as tasks that any machine can play which sees the folder of the event.
//!
//! A task's result is a file that appears whole, `tasks/000012.json`; the task does nothing once it is there. The journal is
//! only read: its one writer takes the results in later.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use thiserror::Error;

use crate::host::{HostError, Isolation, Launcher, available_memory};
use crate::tournament::identity::changed;
use crate::tournament::{Event, GameLine, Histogram, PlayError, Table, write_whole};

const FOLDER: &str = "tasks";

/// Says why a task is not done.
#[derive(Debug, Error)]
pub enum TaskError {
    /// The event has no such pair, or not yet.
    #[error("there is no pair {0} in the event, or not yet: ask 'server tournament tasks' again")]
    Unknown(u32),
    /// A player's file is another one here.
    #[error("player {name}: {file} is not the file that the event began with, or cannot be read here: restore it", file = .file.display())]
    Changed {
        /// The player.
        name: String,
        /// Its file.
        file: PathBuf,
    },
    /// Another process plays the same task.
    #[error("pair {0} is being played by another process")]
    Busy(u32),
    /// The players cannot be started.
    #[error(transparent)]
    Host(#[from] HostError),
    /// A game has no result.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A result cannot be read or written.
    #[error("{path}: {source}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl TaskError {
    /// Tells whether what was typed, or a file that was named, is to blame.
    #[must_use]
    pub const fn is_usage(&self) -> bool {
        matches!(self, Self::Unknown(_) | Self::Changed { .. })
    }
}

fn result_path(event: &Event, pair: u32) -> PathBuf {
    event.folder().join(FOLDER).join(format!("{pair:06}.json"))
}

/// Plays a pair and leaves its result, unless that is there already.
///
/// # Errors
/// When there is no such pair, a player's file is another one, or the server fails.
pub fn play_task(event: &Event, number: u32) -> Result<(), TaskError> {
    let index = (number as usize).checked_sub(1).ok_or(TaskError::Unknown(number))?;
    let pair = *event.schedule().pairs().get(index).ok_or(TaskError::Unknown(number))?;
    let path = result_path(event, number);
    let failed = |source| TaskError::Io { path: path.clone(), source };
    if event.results().half_points(number).is_some() || path.exists() {
        return Ok(());
    }
    fs::create_dir_all(event.folder().join(FOLDER)).map_err(failed)?;
    // Two of the same task at a time would write the same files.
    let lock = File::create(path.with_extension("lock")).map_err(failed)?;
    match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => return Err(TaskError::Busy(number)),
        result => result.map_err(|errno| failed(errno.into()))?,
    }
    if path.exists() {
        return Ok(());
    }
    for id in pair.players {
        let entrant = &event.plan().players[id];
        if changed(entrant) {
            return Err(TaskError::Changed { name: entrant.name.clone(), file: entrant.file.clone() });
        }
    }
    let memory = available_memory().map_or(u64::MAX, |free| free / 20 * 9);
    let table = Table::new(event.plan(), event.folder(), memory).map_err(PlayError::from)?;
    let mut launcher = Launcher::new(Isolation::Process)?;
    let mut lines = Vec::new();
    for game in [1, 2] {
        lines.push(table.play(&mut launcher, &pair, game, &mut Histogram::default())?);
    }
    let bytes = serde_json::to_vec(&lines).map_err(|error| failed(error.into()))?;
    write_whole(&path, &bytes).map_err(failed)?;
    // Nobody needs it any more; that it is there does no harm.
    let _ = fs::remove_file(path.with_extension("lock"));
    Ok(())
}

/// Returns the games of finished tasks that the event does not have yet, in the order of the schedule.
///
/// # Errors
/// When a result cannot be read.
pub fn task_results(event: &Event) -> Result<Vec<GameLine>, TaskError> {
    let mut lines = Vec::new();
    if !event.folder().join(FOLDER).is_dir() {
        return Ok(lines);
    }
    for pair in event.schedule().pairs() {
        if event.results().half_points(pair.number).is_some() {
            continue;
        }
        let path = result_path(event, pair.number);
        let failed = |source| TaskError::Io { path: path.clone(), source };
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failed(error)),
        };
        let games: Vec<GameLine> = serde_json::from_slice(&bytes).map_err(|error| failed(error.into()))?;
        let names = pair.players.map(|id| &event.plan().players[id].name);
        if games.len() != 2 || games.iter().any(|line| line.pair != pair.number || !line.players.iter().eq(names)) {
            return Err(failed(io::Error::other("it is no result of this pair: remove it")));
        }
        lines.extend(games.into_iter().filter(|line| event.results().game(line.pair, line.game).is_none()));
    }
    Ok(lines)
}
