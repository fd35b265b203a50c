use std::io::{self, Write};

use amazons_rules::Position;

use crate::referee::{Event, Observer};

/// Writes each event as a line of JSON, at once.
#[derive(Debug)]
pub struct JsonLines<W> {
    out: W,
}

impl<W: Write> JsonLines<W> {
    /// Writes to any writer, which need not be buffered: an event is one write.
    pub const fn new(out: W) -> Self {
        Self { out }
    }
}

impl<W: Write> Observer for JsonLines<W> {
    fn observe(&mut self, event: &Event, _: &Position) -> io::Result<()> {
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        self.out.write_all(&line)?;
        self.out.flush()
    }
}
