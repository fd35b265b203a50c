use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use amazons_program::locked;
use axum::body::Bytes;
use tokio::sync::{Notify, watch};

use super::summary::START;

/// The memory of a line besides its bytes.
const LINE_COST: usize = 48;

/// The lines of a watched game: it only grows, so a spectator is just a number of lines.
///
/// Appending never waits for spectators: the lock is held only to push or take a few lines, and another thread notifies
/// the spectators, in `WatchedGame::notify`.
#[derive(Debug)]
pub struct WatchedGame {
    lines: Mutex<Lines>,
    length: watch::Sender<Length>,
    news: Notify,
    memory: Arc<AtomicUsize>,
}

#[derive(Debug)]
struct Lines {
    all: Vec<Bytes>,
    /// The number of the line that begins the last game.
    start: usize,
    is_over: bool,
    cost: usize,
    last_came: Instant,
    /// How long a running game may have no news before it counts as cut off.
    patience: Option<Duration>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Length {
    pub(super) lines: usize,
    pub(super) is_over: bool,
}

impl WatchedGame {
    /// Makes a game without lines, which adds its bytes to a shared total.
    pub fn new(memory: Arc<AtomicUsize>) -> Self {
        let lines =
            Lines { all: Vec::new(), start: 0, is_over: false, cost: 0, last_came: Instant::now(), patience: None };
        Self { lines: Mutex::new(lines), length: watch::Sender::default(), news: Notify::new(), memory }
    }

    /// Appends lines, given without line ends.
    pub fn append(&self, lines: impl IntoIterator<Item = Vec<u8>>) {
        let new: Vec<Bytes> = lines.into_iter().map(Bytes::from).collect();
        let cost = new.iter().map(|line| line.len() + LINE_COST).sum();
        self.memory.fetch_add(cost, Ordering::Relaxed);
        let start = new.iter().rposition(|line| line.starts_with(START));
        let mut lines = locked(&self.lines);
        lines.start = start.map_or(lines.start, |start| lines.all.len() + start);
        lines.all.extend(new);
        lines.cost += cost;
        lines.last_came = Instant::now();
        drop(lines);
        self.news.notify_one();
    }

    /// Ends the game: no more lines will follow.
    pub fn close(&self) {
        locked(&self.lines).is_over = true;
        self.news.notify_one();
    }

    /// Notifies the spectators of news until the game is over.
    pub(super) async fn notify(&self) {
        loop {
            let length = self.length();
            self.length.send_replace(length);
            if length.is_over {
                return;
            }
            self.news.notified().await;
        }
    }

    /// Notifies the spectators of the current news.
    pub(super) fn notify_now(&self) {
        self.length.send_replace(self.length());
    }

    /// Returns a channel that changes when there is news.
    pub(super) fn subscribe(&self) -> watch::Receiver<Length> {
        self.length.subscribe()
    }

    /// Returns the current length of the game.
    pub(super) fn length(&self) -> Length {
        let lines = locked(&self.lines);
        Length { lines: lines.all.len(), is_over: lines.is_over }
    }

    /// Returns lines starting at a number, from 0: at most `bytes` bytes in total, but at least one line.
    pub(super) fn read(&self, from: usize, bytes: usize) -> Vec<Bytes> {
        let lines = locked(&self.lines);
        let mut taken = 0;
        let wanted = lines.all.get(from..).unwrap_or_default().iter().take_while(|line| {
            let is_wanted = taken == 0 || taken + line.len() <= bytes;
            taken += line.len().max(1);
            is_wanted
        });
        wanted.cloned().collect()
    }

    /// Returns the first line of the game; after a void game, that of the next one.
    pub fn start(&self) -> Option<Bytes> {
        let lines = locked(&self.lines);
        lines.all.get(lines.start).cloned()
    }

    pub(super) fn last(&self) -> Option<Bytes> {
        locked(&self.lines).all.last().cloned()
    }

    /// Returns the time since the last line.
    pub(super) fn waited(&self) -> Duration {
        locked(&self.lines).last_came.elapsed()
    }

    /// Returns the total memory of all games in bytes.
    pub fn memory(&self) -> usize {
        self.memory.load(Ordering::Relaxed)
    }

    /// Returns how long it may have no news before it counts as cut off; a game played here never does.
    pub(super) fn patience(&self) -> Option<Duration> {
        locked(&self.lines).patience
    }

    /// Sets the time since the last line, and how long it may last.
    pub(super) fn came_before(&self, age: Duration, patience: Option<Duration>) {
        let mut lines = locked(&self.lines);
        lines.patience = patience;
        lines.last_came = Instant::now().checked_sub(age).unwrap_or(lines.last_came);
    }
}

impl Drop for WatchedGame {
    fn drop(&mut self) {
        let cost = locked(&self.lines).cost;
        self.memory.fetch_sub(cost, Ordering::Relaxed);
    }
}
