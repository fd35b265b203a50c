//! Notices from our own code in a process to its parent: frames of a fixed size, each written atomically, so they never
//! mix.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::bytes::{Reader, Writer};

/// The size of an encoded [`Notice`]: POSIX guarantees atomic writes of this size.
pub const NOTICE_LEN: usize = 512;

const HEAD_LEN: usize = 12;
const MAGIC: u32 = u32::from_le_bytes(*b"AmzN");

/// A message from our own code in a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The kind.
    pub kind: NoticeKind,
    /// The details, for a person or a parser; truncated to the frame.
    pub text: Vec<u8>,
}

/// The kind of a [`Notice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// The process is set up; the text is the [`crate::Sandbox`] as JSON.
    Ready,
    /// The process would be less confined than requested.
    Refused,
    /// The process could not be set up.
    Failed,
    /// The program could not be run.
    NotRun,
    /// The place of one address; empty if unknown.
    Located,
}

impl NoticeKind {
    const ALL: [Self; 5] = [Self::Ready, Self::Refused, Self::Failed, Self::NotRun, Self::Located];
}

impl Notice {
    /// Encodes the notice.
    #[must_use]
    pub fn encode(&self) -> [u8; NOTICE_LEN] {
        let text = self.text.get(..NOTICE_LEN - HEAD_LEN).unwrap_or(&self.text);
        let mut bytes = [0; NOTICE_LEN];
        let mut writer = Writer::new(&mut bytes);
        writer.u32(MAGIC);
        writer.u32(self.kind as u32);
        writer.u32(u32::try_from(text.len()).unwrap_or(u32::MAX));
        writer.bytes(text);
        bytes
    }

    /// Reads a notice; `None` unless [`Notice::encode`] wrote these bytes.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        if bytes.len() != NOTICE_LEN || reader.u32()? != MAGIC {
            return None;
        }
        let kind = *NoticeKind::ALL.get(usize::try_from(reader.u32()?).ok()?)?;
        let len = usize::try_from(reader.u32()?).ok()?;
        let text = reader.bytes(len)?.to_vec();
        reader.rest().iter().all(|&byte| byte == 0).then_some(Self { kind, text })
    }
}
