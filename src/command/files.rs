//! Records that are read.

use std::fmt::Display;
use std::io::BufRead;

use crate::command::Exit;
use crate::record::{ReadError, Record};
use crate::text::error_chain;

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
