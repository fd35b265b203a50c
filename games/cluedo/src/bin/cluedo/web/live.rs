//! The games of a server while they are played.

use std::sync::{Arc, Mutex, PoisonError};

use cluedo::line::record::Entry;
use cluedo::record::{Stories, Story};

/// How many games that are over can still be looked at.
const KEPT: usize = 1_000;

/// The spectators' view of all tables: the lines of their records. Only the last line of a game has secrets.
#[derive(Debug, Default)]
pub(crate) struct LiveTables(Mutex<Stories>);

impl LiveTables {
    pub(crate) fn push(&self, entry: &Entry) {
        let mut stories = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The server's own lines make sense.
        let _ = stories.entry(entry);
        if let Entry::End { .. } = entry {
            stories.keep_latest(KEPT);
        }
    }

    pub(super) fn find(&self, table: u64, game: u64) -> Option<Arc<Story>> {
        let stories = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = stories.games.iter().rev().find(|story| story.table == table && story.game == game);
        found.map(|story| Arc::new(story.clone()))
    }

    /// Calls a function for some of the games, running ones first; returns how many there are.
    pub(super) fn each(&self, from: usize, count: usize, mut show: impl FnMut(&Story)) -> usize {
        let stories = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let games = &stories.games;
        let over = |is_over: bool| games.iter().rev().filter(move |story| story.ending.is_some() == is_over);
        over(false).chain(over(true)).skip(from).take(count).for_each(&mut show);
        games.len()
    }
}
