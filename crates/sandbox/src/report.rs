//! The report of a dying process: addresses, for a person debugging it.
//!
//! A signal handler writes it in a broken process that the player may control anyway. It explains a verdict but never
//! decides one.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::bytes::{Reader, Writer};
use super::text::printable;

/// The size of an encoded [`CrashReport`], which tells it apart from a reply.
pub const REPORT_LEN: usize = 2048;

/// Maximum number of return addresses in a report.
pub const FRAMES_MAX: usize = 32;

/// Maximum length of a library's name in a report.
pub const MODULE_LEN: usize = 48;
/// Maximum number of libraries in a report.
pub const MODULES_MAX: usize = 24;

const MAGIC: u32 = u32::from_le_bytes(*b"AmzC");

/// In place of a system call: the stack was full, so an address below it could not be accessed.
pub const STACK_FULL: i64 = -2;

/// Added to system call numbers of 32-bit code.
pub const OF_32_BITS: i64 = 1 << 32;

/// A place in a library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The index of the library.
    pub module: u32,
    /// The distance from its beginning.
    pub offset: u64,
}

/// The report of a dying process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrashReport {
    /// The signal that is about to end it.
    pub signal: i32,
    /// The signal's code, see sigaction(2).
    pub code: i32,
    /// The address that could not be accessed or run.
    pub address: u64,
    /// The number of the refused system call, plus [`OF_32_BITS`] for 32-bit code, which has its own numbers; or
    /// [`STACK_FULL`].
    pub system_call: i64,
    /// The function that was running and its callers, innermost first.
    pub frames: Vec<Frame>,
    /// The base names of libraries; the player's comes first and is empty.
    pub modules: Vec<String>,
}

/// The parts of a report as the signal handler has them.
#[derive(Clone, Copy, Debug)]
pub struct RawCrashReport<'a> {
    /// As in [`CrashReport`].
    pub signal: i32,
    /// As in [`CrashReport`].
    pub code: i32,
    /// As in [`CrashReport`].
    pub address: u64,
    /// As in [`CrashReport`].
    pub system_call: i64,
    /// At most [`FRAMES_MAX`].
    pub frames: &'a [Frame],
    /// Names that end with a zero byte or fill their field; at most [`MODULES_MAX`].
    pub modules: &'a [[u8; MODULE_LEN]],
}

impl RawCrashReport<'_> {
    /// Encodes the report without allocating.
    pub fn encode(&self, bytes: &mut [u8; REPORT_LEN]) {
        let mut writer = Writer::new(bytes);
        writer.u32(MAGIC);
        writer.u32(self.signal.cast_unsigned());
        writer.u32(self.code.cast_unsigned());
        writer.u64(self.address);
        writer.u64(self.system_call.cast_unsigned());
        // Both lengths are small.
        let count = |len: usize| u32::try_from(len).unwrap_or(0);
        writer.u32(count(self.frames.len()));
        writer.u32(count(self.modules.len()));
        for frame in self.frames {
            writer.u32(frame.module);
            writer.u64(frame.offset);
        }
        for module in self.modules {
            writer.bytes(module);
        }
    }
}

impl CrashReport {
    /// Returns whether these bytes begin a report.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        Reader::new(bytes).u32() == Some(MAGIC)
    }

    /// Reads a report; `None` when the bytes are not one.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        if bytes.len() != REPORT_LEN || reader.u32()? != MAGIC {
            return None;
        }
        let signal = reader.u32()?.cast_signed();
        let code = reader.u32()?.cast_signed();
        let address = reader.u64()?;
        let system_call = reader.u64()?.cast_signed();
        let lens = [reader.u32()?, reader.u32()?].map(|len| usize::try_from(len).unwrap_or(usize::MAX));
        let [frames_len, modules_len] = lens;
        if frames_len > FRAMES_MAX || modules_len > MODULES_MAX {
            return None;
        }
        let mut frames = Vec::with_capacity(frames_len);
        for _ in 0..frames_len {
            frames.push(Frame { module: reader.u32()?, offset: reader.u64()? });
        }
        let mut modules = Vec::with_capacity(modules_len);
        for _ in 0..modules_len {
            let name = reader.bytes(MODULE_LEN)?.split(|&byte| byte == 0).next().unwrap_or_default();
            modules.push(printable(name));
        }
        Some(Self { signal, code, address, system_call, frames, modules })
    }
}
