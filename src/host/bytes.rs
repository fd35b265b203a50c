//! Numbers in byte buffers, little endian; neither end can run past its buffer.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::mem;

/// Takes numbers off the front of a buffer.
#[derive(Debug)]
pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(len)?;
        self.0 = tail;
        Some(head)
    }

    pub(super) fn rest(self) -> &'a [u8] {
        self.0
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, tail) = self.0.split_first_chunk()?;
        self.0 = tail;
        Some(*head)
    }
}

/// Fills a buffer of fixed size from the front; the buffer's owner sees to it that there is room.
#[derive(Debug)]
pub(super) struct Writer<'a>(&'a mut [u8]);

impl<'a> Writer<'a> {
    pub(super) const fn new(bytes: &'a mut [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    pub(super) fn u64(&mut self, value: u64) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes as much of `bytes` as there is room for.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        let room = mem::take(&mut self.0);
        let (head, tail) = room.split_at_mut(bytes.len().min(room.len()));
        for (to, from) in head.iter_mut().zip(bytes) {
            *to = *from;
        }
        self.0 = tail;
    }
}
