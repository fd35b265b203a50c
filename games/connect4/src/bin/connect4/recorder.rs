use std::fs::{self, Metadata};
use std::io::{Write, stdout};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use amazons_program::Exit;
use amazons_program::files::write_whole_with;
use amazons_program::journal::Journal;
use connect4::Side;
use connect4::record::{GameResult, Line, Reason, Record, Winner};

/// A game, and its record: in a file, on standard output, in both or in neither.
#[derive(Debug)]
pub(crate) struct Recorder {
    pub(crate) game: Record,
    journal: Option<Journal>,
    prints: bool,
}

impl Recorder {
    /// Begins a record with the moves that were played already.
    pub(crate) fn begin(path: Option<&Path>, prints: bool, game: Record) -> Result<Self, Exit> {
        let text = whole(&game)?;
        let open = |path: &Path| {
            let file = write_whole_with(path, |out| out.write_all(text.as_bytes()));
            let file = file.map_err(|error| Exit::unwritable(path, &error))?;
            Journal::at_end(path, file).map_err(Exit::failure)
        };
        let recorder = Self { game, journal: path.map(open).transpose()?, prints };
        recorder.print(&text)?;
        Ok(recorder)
    }

    /// Changes the game, and writes that, and the result if this ends the game.
    pub(crate) fn add(&mut self, line: Line) -> Result<(), Exit> {
        self.game.add(line.clone()).map_err(Exit::failure)?;
        self.write(&line)?;
        self.write_result()
    }

    /// Plays moves that were taken back again, up to the next turn of this kind of side; returns how many.
    pub(crate) fn redo(&mut self, is_own: impl Fn(Side) -> bool) -> Result<usize, Exit> {
        let again = self.game.redo(is_own);
        let plies = again.len();
        again.into_iter().try_for_each(|played| self.write(&Line::Move(played)))?;
        self.write_result()?;
        Ok(plies)
    }

    /// Ends a game that is not over without a winner.
    pub(crate) fn break_off(&mut self) -> Result<(), Exit> {
        let stopped = GameResult { winner: Winner::None, reason: Reason::Stopped };
        self.game.turn().map_or(Ok(()), |_| self.add(Line::Result(stopped)))
    }

    fn write_result(&mut self) -> Result<(), Exit> {
        let result = self.game.outcome().filter(|_| self.game.result.is_none());
        result.map_or(Ok(()), |result| self.add(Line::Result(result)))
    }

    fn write(&mut self, line: &Line) -> Result<(), Exit> {
        if let Some(journal) = &mut self.journal {
            journal.append(line).map_err(|error| Exit::Failure(format!("cannot write {error}")))?;
        }
        if self.prints { self.print(&text(line)?) } else { Ok(()) }
    }

    fn print(&self, text: &str) -> Result<(), Exit> {
        if self.prints {
            let mut out = stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
        Ok(())
    }

    /// Begins another game, in a record of its own.
    pub(crate) fn restart(&mut self, game: Record) -> Result<(), Exit> {
        self.break_off()?;
        let path = self.journal.as_ref().map(|journal| next_free(journal.path()));
        *self = Self::begin(path.as_deref(), self.prints, game)?;
        Ok(())
    }

    /// Returns whether this is the file, by whatever name.
    pub(crate) fn writes_to(&self, path: &Path) -> bool {
        let own = self.journal.as_ref().and_then(|journal| journal.file().metadata().ok());
        own.is_some_and(|own| fs::metadata(path).is_ok_and(|other| is_same(&own, &other)))
    }
}

/// Returns the first free name that follows: game.jsonl is followed by game-2.jsonl, game-2.jsonl by game-3.jsonl.
pub(crate) fn next_free(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let numbered = stem.rsplit_once('-').and_then(|(stem, number)| Some((stem, number.parse::<u32>().ok()?)));
    let (stem, number) = numbered.unwrap_or((&stem, 1));
    let extension = path.extension().map_or_else(String::new, |it| format!(".{}", it.to_string_lossy()));
    let mut names = (1..).map(|step| path.with_file_name(format!("{stem}-{}{extension}", u64::from(number) + step)));
    names.find(|name| fs::symlink_metadata(name).is_err()).unwrap_or_else(|| path.to_owned())
}

/// Returns whether both names lead to the same file.
pub(crate) fn are_same(one: &Path, other: &Path) -> bool {
    fs::metadata(one).ok().zip(fs::metadata(other).ok()).is_some_and(|(one, other)| is_same(&one, &other))
}

fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Returns the text of a record.
pub(crate) fn whole(game: &Record) -> Result<String, Exit> {
    let moves = game.moves.iter().cloned().map(Line::Move);
    let lines = [Line::Game(game.head.clone())].into_iter().chain(moves).chain(game.result.map(Line::Result));
    lines.map(|line| text(&line)).collect()
}

fn text(line: &Line) -> Result<String, Exit> {
    serde_json::to_string(line).map(|text| text + "\n").map_err(Exit::failure)
}
