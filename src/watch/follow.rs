use std::ffi::OsString;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use amazons_pages::Access;
use amazons_program::files::MARK;

use super::folder::{Folder, Stamp};
use super::redact::shown;

/// The number of bytes to read at a time.
const BLOCK: usize = 1 << 20;

/// Events are never longer.
const LINE_MAX: usize = 16 << 20;

/// How many bytes before the offset must be unchanged; otherwise the file counts as rewritten.
const CHECKED: usize = 128;

/// Reads the lines of a file that may grow, shrink, or be rewritten.
#[derive(Debug)]
pub(super) struct Follower {
    folder: Arc<Folder>,
    file: OsString,
    access: Access,
    /// Where the next line begins.
    offset: u64,
    inode: u64,
    /// The bytes before that.
    before: Vec<u8>,
    modified: (i64, i64),
}

/// The new lines of a file.
#[derive(Debug)]
pub(super) struct News {
    /// Complete lines, without line ends. If the first is a `start`, everything begins again.
    pub(super) lines: Vec<Vec<u8>>,
    pub(super) is_more: bool,
    pub(super) stamp: Stamp,
}

impl Follower {
    /// Starts at the first line of a file.
    pub(super) const fn new(folder: Arc<Folder>, file: OsString, access: Access) -> Self {
        Self { folder, file, access, offset: 0, inode: 0, before: Vec::new(), modified: (0, 0) }
    }

    /// Reads new lines, or all lines of a rewritten file. May block for long.
    pub(super) fn read(&mut self) -> io::Result<News> {
        let (file, stamp) = self.folder.read(self.file.as_ref())?;
        if self.inode == stamp.inode && self.modified == stamp.modified && self.offset == stamp.size {
            return Ok(News { lines: Vec::new(), is_more: false, stamp });
        }
        if self.inode != stamp.inode || stamp.size < self.offset || !self.is_what_it_was(&file)? {
            (self.offset, self.inode, self.before) = (0, stamp.inode, Vec::new());
        }
        let mut text = Vec::new();
        let whole = loop {
            let seen = text.len();
            text.resize(seen + BLOCK, 0);
            let read = file.read_at(text.get_mut(seen..).unwrap_or_default(), self.offset + seen as u64)?;
            text.truncate(seen + read);
            match text.iter().rposition(|&byte| byte == b'\n') {
                Some(end) => break end + 1,
                None if read == 0 => break 0,
                None if text.len() > LINE_MAX => return Err(io::Error::other("a line is too long for an event")),
                None => {}
            }
        };
        text.truncate(whole);
        self.offset += whole as u64;
        self.before.extend_from_slice(text.get(whole.saturating_sub(CHECKED)..).unwrap_or_default());
        self.before.drain(..self.before.len().saturating_sub(CHECKED));
        let is_more = whole > 0 && self.offset < stamp.size;
        // A file written during the read has a different time in the next one.
        self.modified = stamp.modified;
        let lines = text
            .split(|&byte| byte == b'\n')
            .map(|line| line.strip_prefix(MARK).unwrap_or(line).trim_ascii())
            .filter(|line| !line.is_empty());
        Ok(News { lines: lines.map(|line| shown(self.access, line.to_vec())).collect(), is_more, stamp })
    }

    fn is_what_it_was(&self, file: &std::fs::File) -> io::Result<bool> {
        let mut now = vec![0; self.before.len()];
        let read = file.read_at(&mut now, self.offset - self.before.len() as u64)?;
        Ok(read == now.len() && now == self.before)
    }
}
