//! Little-endian numbers in byte buffers and streams, with bounds checks.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::io::{self, Read};
use std::mem;

/// Takes numbers off the front of a buffer.
#[derive(Debug)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Reads from the front of these bytes.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Takes a four-byte number; once there are too few bytes, this and all later calls return `None`.
    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// Takes an eight-byte number.
    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Takes a four-byte count.
    pub fn count(&mut self) -> Option<usize> {
        usize::try_from(self.u32()?).ok()
    }

    /// Takes this many bytes.
    pub fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(len)?;
        self.0 = tail;
        Some(head)
    }

    /// Returns the remaining bytes.
    #[must_use]
    pub const fn rest(self) -> &'a [u8] {
        self.0
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, tail) = self.0.split_first_chunk()?;
        self.0 = tail;
        Some(*head)
    }
}

/// Fills a fixed-size buffer from the front; its owner must make it large enough.
#[derive(Debug)]
pub struct Writer<'a>(&'a mut [u8]);

impl<'a> Writer<'a> {
    /// Writes to the front of this buffer.
    pub const fn new(bytes: &'a mut [u8]) -> Self {
        Self(bytes)
    }

    /// Writes four bytes.
    pub fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes eight bytes.
    pub fn u64(&mut self, value: u64) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes as much of `bytes` as fits.
    pub fn bytes(&mut self, bytes: &[u8]) {
        let room = mem::take(&mut self.0);
        let (head, tail) = room.split_at_mut(bytes.len().min(room.len()));
        for (to, from) in head.iter_mut().zip(bytes) {
            *to = *from;
        }
        self.0 = tail;
    }
}

/// The reasons why a set-up message could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SetUpError {
    /// The message ended early or could not be read.
    #[error("cannot read the set-up message")]
    Read(#[from] io::Error),
    /// The message has the wrong magic number.
    #[error("not a set-up message")]
    Magic,
    /// The parts are inconsistent.
    #[error("the set-up message contradicts itself: {0}")]
    Content(String),
}

/// Reads the fixed-size part of a message: a magic number, then the rest through `fields`.
/// Fails when the message ends early, or has a wrong magic number or invalid fields.
pub fn read_head<T, const N: usize>(
    from: &mut impl Read,
    magic: u32,
    fields: impl FnOnce(&mut Reader<'_>) -> Option<T>,
) -> Result<T, SetUpError> {
    let mut head = [0; N];
    from.read_exact(&mut head)?;
    let mut reader = Reader::new(&head);
    if reader.u32() != Some(magic) {
        return Err(SetUpError::Magic);
    }
    fields(&mut reader).ok_or_else(|| SetUpError::Content("sizes".into()))
}

/// The size of a pipe's buffer, so the most that one read returns.
const CHUNK: usize = 1 << 16;

/// Reads `len` bytes; memory grows with the bytes received, not the length announced. Fails when there are fewer.
pub fn read_bytes(from: &mut impl Read, len: usize) -> Result<Vec<u8>, SetUpError> {
    let mut bytes = Vec::with_capacity(len.min(CHUNK));
    from.take(len as u64).read_to_end(&mut bytes)?;
    if bytes.len() < len {
        return Err(SetUpError::Read(io::ErrorKind::UnexpectedEof.into()));
    }
    Ok(bytes)
}

/// Reads `len` numbers in the same way. Fails when there are fewer, or more than memory can hold.
pub fn read_numbers<T, const N: usize>(
    from: &mut impl Read,
    len: usize,
    number: impl Fn([u8; N]) -> T,
) -> Result<Vec<T>, SetUpError> {
    let mut left = len.checked_mul(N).ok_or_else(|| SetUpError::Content(format!("{len} numbers")))?;
    let (mut numbers, mut chunk) = (Vec::new(), vec![0; left.min(CHUNK / N * N)]);
    while left > 0 {
        chunk.truncate(left);
        from.read_exact(&mut chunk)?;
        numbers.extend(chunk.as_chunks().0.iter().map(|&bytes| number(bytes)));
        left -= chunk.len();
    }
    Ok(numbers)
}
