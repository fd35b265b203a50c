//! Files that are read.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufRead};
use std::path::Path;

use crate::command::Exit;
use crate::record::{ReadError, Record};
use crate::text::error_chain;

/// Opens a regular file: a folder has no lines, and opening a pipe without a writer would wait for ever.
pub(super) fn open(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    File::open(path)
}

/// Reads a record and checks it by the rules.
pub(super) fn verified(name: &impl Display, source: impl BufRead) -> Result<Record, Exit> {
    let record = match Record::read(source) {
        Ok(record) => record,
        Err(error @ ReadError::CutOff(_)) => return Err(Exit::Refuted(format!("{name}: {error}"))),
        Err(error) => return Err(Exit::usage(format_args!("{name}: {}", error_chain(&error)))),
    };
    match record.verify() {
        Ok(_) => Ok(record),
        Err(error) => Err(Exit::Refuted(format!("{name}: {error}"))),
    }
}
