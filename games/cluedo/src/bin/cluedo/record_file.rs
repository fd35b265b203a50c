//! Files of records, read line by line with limits.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use amazons_program::{Exit, without_mark};
use cluedo::record::MAX_LINE_LEN;

/// Opens a regular file.
pub(crate) fn open(path: &Path) -> Result<RecordLines, Exit> {
    let wrong = |reason: String| Exit::usage(format!("cannot read {}: {reason}", path.display()));
    // Opening a pipe would wait for a writer.
    let about = std::fs::metadata(path).map_err(|error| wrong(error.to_string()))?;
    if !about.is_file() {
        return Err(wrong("it is not a file".to_owned()));
    }
    let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
    Ok(RecordLines { reader: BufReader::new(file), is_over: false })
}

pub(crate) struct RecordLines {
    reader: BufReader<File>,
    is_over: bool,
}

impl Iterator for RecordLines {
    type Item = Result<String, String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let mut line = Vec::new();
        let read = self.reader.by_ref().take(MAX_LINE_LEN as u64 + 1).read_until(b'\n', &mut line);
        let found = match read {
            Err(error) => Err(format!("cannot be read: {error}")),
            Ok(0) => {
                self.is_over = true;
                return None;
            }
            Ok(count) if count > MAX_LINE_LEN => Err(format!("is longer than {MAX_LINE_LEN} bytes")),
            Ok(_) => {
                if line.last() == Some(&b'\n') {
                    line.pop();
                }
                let text = String::from_utf8(line).map_err(|_| "is not text".to_owned());
                // Some editors begin a file with a mark, and end lines with two letters.
                text.map(|line| without_mark(&line).trim_end_matches('\r').to_owned())
            }
        };
        self.is_over = found.is_err();
        Some(found)
    }
}
