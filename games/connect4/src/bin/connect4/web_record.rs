use std::path::{Path, PathBuf};

use amazons_program::Exit;
use connect4::record::{Line, Played, Record};

use crate::recorder::{Recorder, next_free};

/// Maximum number of games in progress; one more, and the oldest counts as abandoned.
const MAX_GAMES: usize = 64;

/// Records the games that are played on a page, each in a file of its own.
#[derive(Debug)]
pub(crate) struct WebRecorder {
    /// The game without moves.
    start: Record,
    path: PathBuf,
    /// The file of the first game, which has no moves yet.
    first: Option<Recorder>,
    /// The games, with the numbers that their pages gave them.
    games: Vec<(u32, Recorder)>,
}

impl WebRecorder {
    /// Begins the record of the first game; the others get the next free names.
    pub(crate) fn begin(path: &Path, start: Record) -> Result<Self, Exit> {
        let first = Recorder::begin(Some(path), false, start.clone())?;
        Ok(Self { start, path: path.to_owned(), first: Some(first), games: Vec::new() })
    }

    /// Writes what has changed in a game; `last` is its last move, if a level played it.
    pub(crate) fn follow(&mut self, number: u32, moves: &str, last: Option<Played>) -> Result<(), Exit> {
        let before = &self.start.head.position;
        let is_known = self.games.iter().any(|game| game.0 == number);
        if !moves.starts_with(before) || (!is_known && moves == before) {
            return Ok(());
        }
        if !is_known {
            let next = || Recorder::begin(Some(&next_free(&self.path)), false, self.start.clone());
            let recorder = self.first.take().map_or_else(next, Ok)?;
            if self.games.len() == MAX_GAMES {
                self.games.remove(0).1.break_off()?;
            }
            self.games.push((number, recorder));
        }
        let Some((_, recorder)) = self.games.iter_mut().find(|game| game.0 == number) else { return Ok(()) };
        let old = recorder.game.all_moves();
        let same = old.chars().zip(moves.chars()).take_while(|(one, other)| one == other).count();
        // Names of columns are ASCII.
        if same < old.len() {
            recorder.add(Line::Undo { plies: old.len() - same })?;
        }
        let mut new = moves[same..].chars().peekable();
        while let Some(name) = new.next() {
            let played = last.clone().filter(|_| new.peek().is_none());
            recorder.add(Line::Move(played.unwrap_or_else(|| Played::plain(name))))?;
        }
        Ok(())
    }

    /// Ends all games that are not over.
    pub(crate) fn end(&mut self) -> Result<(), Exit> {
        self.games.drain(..).try_for_each(|(_, mut game)| game.break_off())
    }
}
