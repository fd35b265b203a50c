use std::iter;
use std::path::{Path, PathBuf};

use amazons_program::Exit;
use connect4::record::{GameResult, Head, Line, Played, Reason, Winner};
use connect4::{Position, Size};

use crate::recorder::{Recorder, next_free};

/// Maximum number of games in progress; one more, and the oldest counts as abandoned.
const GAMES_MAX: usize = 64;

/// Records the games that are played on a page, each in a file of its own.
#[derive(Debug)]
pub(crate) struct WebRecorder {
    head: Head,
    path: PathBuf,
    /// The file of the first game, which has no moves yet.
    first: Option<Recorder>,
    games: Vec<Recorded>,
}

#[derive(Debug)]
struct Recorded {
    /// The number that its page gave it.
    number: u32,
    recorder: Recorder,
    moves: String,
}

impl WebRecorder {
    /// Begins the record of the first game; the others get the next free names.
    pub(crate) fn begin(path: &Path, head: Head) -> Result<Self, Exit> {
        let first = Recorder::begin(Some(path), false, &head, iter::empty())?;
        Ok(Self { head, path: path.to_owned(), first: Some(first), games: Vec::new() })
    }

    /// Writes what has changed in a game; `last` is its last move, if a level played it.
    pub(crate) fn follow(
        &mut self,
        number: u32,
        position: &Position,
        moves: &str,
        last: Option<Played>,
    ) -> Result<(), Exit> {
        let is_known = self.games.iter().any(|game| game.number == number);
        if !moves.starts_with(&self.head.position) || (!is_known && moves == self.head.position) {
            return Ok(());
        }
        if !is_known {
            let next = || Recorder::begin(Some(&next_free(&self.path)), false, &self.head, iter::empty());
            let recorder = self.first.take().map_or_else(next, Ok)?;
            if self.games.len() == GAMES_MAX {
                self.games.remove(0).break_off(position.size())?;
            }
            self.games.push(Recorded { number, recorder, moves: self.head.position.clone() });
        }
        let Some(game) = self.games.iter_mut().find(|game| game.number == number) else { return Ok(()) };
        game.follow(position, moves, last)
    }

    /// Ends all games that are not over.
    pub(crate) fn end(&mut self, size: Size) -> Result<(), Exit> {
        self.games.drain(..).try_for_each(|game| game.break_off(size))
    }
}

impl Recorded {
    fn follow(&mut self, position: &Position, moves: &str, last: Option<Played>) -> Result<(), Exit> {
        let same = self.moves.chars().zip(moves.chars()).take_while(|(one, other)| one == other).count();
        // Names of columns are ASCII.
        let (undone, new) = (self.moves.len() - same, &moves[same..]);
        if undone > 0 {
            self.recorder.write(&Line::Undo { plies: undone })?;
        }
        let number = new.len();
        for (index, name) in new.chars().enumerate() {
            let played = last.clone().filter(|_| index + 1 == number);
            self.recorder.write(&Line::Move(played.unwrap_or_else(|| Played::plain(name))))?;
        }
        moves.clone_into(&mut self.moves);
        match position.ending().filter(|_| number > 0) {
            Some(ending) => self.recorder.write(&Line::Result(GameResult::of(ending))),
            None => Ok(()),
        }
    }

    /// Ends the game unless it is over.
    fn break_off(mut self, size: Size) -> Result<(), Exit> {
        let last = Position::from_moves(size, &self.moves).map_err(Exit::failure)?;
        if last.ending().is_none() {
            self.recorder.write(&Line::Result(GameResult { winner: Winner::None, reason: Reason::Stopped }))?;
        }
        Ok(())
    }
}
