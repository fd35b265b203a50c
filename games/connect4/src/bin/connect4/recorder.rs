use std::fs::{self, Metadata};
use std::io::{Write, stdout};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use amazons_program::Exit;
use amazons_program::files::write_whole_with;
use amazons_program::journal::Journal;
use connect4::record::{GameResult, Head, Line, Played};

/// Writes a game as it goes: to a file, to standard output, to both or to neither.
#[derive(Debug)]
pub(crate) struct Recorder {
    journal: Option<Journal>,
    prints: bool,
}

impl Recorder {
    /// Begins a record with its head and the moves that were played already.
    pub(crate) fn begin<'a>(
        path: Option<&Path>,
        prints: bool,
        head: &Head,
        moves: impl Iterator<Item = &'a Played>,
    ) -> Result<Self, Exit> {
        let text = whole(head, moves, None)?;
        let open = |path: &Path| {
            let file = write_whole_with(path, |out| out.write_all(text.as_bytes()));
            let file = file.map_err(|error| Exit::unwritable(path, &error))?;
            Journal::at_end(path, file).map_err(Exit::failure)
        };
        let recorder = Self { journal: path.map(open).transpose()?, prints };
        recorder.print(&text)?;
        Ok(recorder)
    }

    pub(crate) fn write(&mut self, line: &Line) -> Result<(), Exit> {
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

    pub(crate) fn path(&self) -> Option<&Path> {
        self.journal.as_ref().map(Journal::path)
    }

    /// Returns whether this is the file, by whatever name.
    pub(crate) fn writes_to(&self, path: &Path) -> bool {
        let own = self.journal.as_ref().and_then(|journal| journal.file().metadata().ok());
        own.zip(fs::metadata(path).ok()).is_some_and(|(one, other)| is_same(&one, &other))
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

pub(crate) fn save<'a>(
    path: &Path,
    head: &Head,
    moves: impl Iterator<Item = &'a Played>,
    result: Option<GameResult>,
) -> Result<(), Exit> {
    let all = whole(head, moves, result)?;
    fs::write(path, all).map_err(|error| Exit::unwritable(path, &error))
}

fn whole<'a>(head: &Head, moves: impl Iterator<Item = &'a Played>, result: Option<GameResult>) -> Result<String, Exit> {
    let mut all = text(&Line::Game(head.clone()))?;
    for played in moves {
        all += &text(&Line::Move(played.clone()))?;
    }
    if let Some(result) = result {
        all += &text(&Line::Result(result))?;
    }
    Ok(all)
}

fn text(line: &Line) -> Result<String, Exit> {
    serde_json::to_string(line).map(|text| text + "\n").map_err(Exit::failure)
}
