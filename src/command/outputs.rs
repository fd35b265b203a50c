use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::cli::PlayArgs;
use crate::command::Exit;
use crate::referee::{PlayerNumber, Seat};

const LOG_DIR: &str = "--log-dir";

/// The files that a game writes; all are new, so that no earlier game is lost.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    record: Option<NewFile>,
    logs: Vec<NewFile>,
    /// Where the game begins in the record, behind those that were played before.
    begin: u64,
}

#[derive(Debug)]
struct NewFile {
    path: PathBuf,
    file: File,
}

impl NewFile {
    fn create(option: &str, path: &Path) -> Result<Self, Exit> {
        let file = File::create_new(path).map_err(|error| cannot_make(option, path, &error))?;
        Ok(Self { path: path.to_owned(), file })
    }
}

fn cannot_make(option: &str, path: &Path, error: &io::Error) -> Exit {
    let path = path.display();
    let kind = if option == LOG_DIR { "folder" } else { "file" };
    Exit::Usage(match error.kind() {
        io::ErrorKind::AlreadyExists => {
            format!("{option}: {path} exists, and nothing is overwritten: name another {kind}, or remove it")
        }
        _ => format!("{option}: cannot make {path}: {error}"),
    })
}

impl Outputs {
    /// Makes the files that were asked for, or none of them.
    pub(super) fn create(args: &PlayArgs) -> Result<Self, Exit> {
        let mut outputs = Self::default();
        if let Err(reason) = outputs.fill(args) {
            outputs.discard();
            return Err(reason);
        }
        Ok(outputs)
    }

    fn fill(&mut self, args: &PlayArgs) -> Result<(), Exit> {
        if let Some(folder) = &args.log_dir {
            fs::create_dir_all(folder).map_err(|error| cannot_make(LOG_DIR, folder, &error))?;
            for player in PlayerNumber::ALL {
                self.logs.push(NewFile::create(LOG_DIR, &Self::log_path(folder, player))?);
            }
        }
        if let Some(path) = &args.record {
            self.record = Some(NewFile::create("--record", path)?);
        }
        Ok(())
    }

    /// Returns where the log of a player is kept.
    pub(super) fn log_path(folder: &Path, player: PlayerNumber) -> PathBuf {
        folder.join(format!("player{}.log", player.number()))
    }

    /// Removes the files of a game that did not begin.
    pub(super) fn discard(self) {
        for output in self.logs.into_iter().chain(self.record) {
            // What cannot be removed stays, empty.
            let _ = fs::remove_file(output.path);
        }
    }

    pub(super) fn record(&self) -> Option<&File> {
        self.record.as_ref().map(|output| &output.file)
    }

    /// Forgets a game that is played again.
    pub(super) fn start_again(&self) -> io::Result<()> {
        let Some(record) = &self.record else { return Ok(()) };
        record.file.set_len(self.begin)?;
        (&record.file).seek(SeekFrom::Start(self.begin)).map(|_| ())
    }

    /// Keeps a game that is followed by another.
    pub(super) fn keep(&mut self, seats: &[Box<dyn Seat>; 2]) -> io::Result<()> {
        self.write_logs(seats)?;
        if let Some(record) = &self.record {
            self.begin = (&record.file).stream_position()?;
        }
        Ok(())
    }

    /// Writes what the players printed.
    pub(super) fn write_logs(&mut self, seats: &[Box<dyn Seat>; 2]) -> io::Result<()> {
        let mut logs = self.logs.iter_mut().zip(seats);
        logs.try_for_each(|(output, seat)| output.file.write_all(&seat.log()))
    }
}
