use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use amazons_program::Exit;
use clap::Args;
use connect4::Size;
use connect4::book::{Book, BookChoice};

pub(crate) const MAX_BYTES: u64 = 1 << 28;

/// Which book to use.
#[derive(Args, Clone, Debug)]
pub(crate) struct BookOption {
    /// An opening book, made by `connect4 book make FILE` (default: the one that is shipped, for 7x6)
    #[arg(long = "book", value_name = "FILE|none")]
    file: Option<PathBuf>,
}

impl BookOption {
    pub(crate) const fn is_given(&self) -> bool {
        self.file.is_some()
    }

    /// Reads the book, which must be for boards of this size.
    pub(crate) fn read(&self, size: Size) -> Result<BookChoice, Exit> {
        let Some(file) = &self.file else { return Ok(BookChoice::Shipped) };
        if file.as_os_str() == "none" {
            return Ok(BookChoice::Nothing);
        }
        let book = read(file)?.for_size(size).map_err(|error| wrong(file, error))?;
        Ok(book.into())
    }
}

pub(crate) fn read(file: &Path) -> Result<Book, Exit> {
    let mut bytes = Vec::new();
    let read = File::open(file).and_then(|opened| opened.take(MAX_BYTES).read_to_end(&mut bytes));
    read.map_err(|error| wrong(file, error))?;
    Book::from_bytes(&bytes).map_err(|error| wrong(file, error))
}

pub(crate) fn wrong(file: &Path, reason: impl std::fmt::Display) -> Exit {
    Exit::Usage(format!("{}: {reason}", file.display()))
}
