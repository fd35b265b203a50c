use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

use amazons_program::journal;
use amazons_rules::Position;

use crate::referee::{Event, Observer};

/// Writes each event immediately as a line of JSON.
#[derive(Debug)]
pub struct JsonLines<W> {
    out: W,
}

impl<W: Write> JsonLines<W> {
    /// Writes to any writer without buffering: an event is one write.
    pub const fn new(out: W) -> Self {
        Self { out }
    }
}

impl<W: Write> Observer for JsonLines<W> {
    fn observe(&mut self, event: &Event, _: &Position) -> io::Result<()> {
        write_line(&mut self.out, event)
    }
}

pub(super) fn write_line(out: &mut impl Write, event: &Event) -> io::Result<()> {
    journal::write_line(out, event)?;
    out.flush()
}

/// Writes the same lines to a file and can remove moves taken back.
#[derive(Debug)]
pub struct RecordFile<'a> {
    file: &'a File,
    /// The length of the file after the start and after each move.
    lengths: Vec<u64>,
}

impl<'a> RecordFile<'a> {
    /// Writes to a file from its current position.
    pub const fn new(file: &'a File) -> Self {
        Self { file, lengths: Vec::new() }
    }
}

impl Observer for RecordFile<'_> {
    fn observe(&mut self, event: &Event, _: &Position) -> io::Result<()> {
        write_line(&mut self.file, event)?;
        match event {
            // A void game is replayed, into an emptied file.
            Event::Start(_) => self.lengths = vec![self.file.stream_position()?],
            Event::Move(_) => self.lengths.push(self.file.stream_position()?),
            Event::Fault(_) | Event::End(_) => {}
        }
        Ok(())
    }

    fn take_back(&mut self, moves: u32, _: &Position) -> io::Result<()> {
        self.lengths.truncate(moves as usize + 1);
        let Some(&length) = self.lengths.last() else { return Ok(()) };
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length)).map(|_| ())
    }
}
