//! The message that sets a player's process up, sent before any code of the player runs.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::ffi::OsStr;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use sprs::{CsMatI, CsMatViewI};

use super::bytes::Reader;

const MAGIC: u32 = u32::from_le_bytes(*b"AmzS");
const HEAD_LEN: usize = 56;

/// Says why a set-up message could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SetUpError {
    /// The message ended early, or could not be read at all.
    #[error("cannot read the set-up message")]
    Read(#[from] io::Error),
    /// The message does not start as set-up messages do.
    #[error("not a set-up message")]
    Magic,
    /// The parts do not fit together.
    #[error("the set-up message contradicts itself: {0}")]
    Content(String),
}

/// Everything that a player's process needs to know.
#[derive(Clone, Debug, PartialEq)]
pub struct SetUp {
    /// The player's library, absolute.
    pub path: PathBuf,
    /// What the player is told it is: 0 moves first.
    pub abi_id: u32,
    /// Seeds what the player draws from `rand`.
    pub seed: u64,
    /// How many bytes the player may print.
    pub log_limit: u64,
    /// The graph, in CSR form.
    pub matrix: CsMatI<u32, i32>,
    /// The vertices of the queens of the first and of the second player to move.
    pub queens: [Vec<u32>; 2],
}

impl SetUp {
    /// Writes a set-up message from borrowed parts: graphs can be large.
    #[must_use]
    pub fn encode(
        path: &Path,
        abi_id: u32,
        seed: u64,
        log_limit: u64,
        matrix: CsMatViewI<'_, u32, i32>,
        queens: [&[u32]; 2],
    ) -> Vec<u8> {
        let path = path.as_os_str().as_bytes();
        let indptr = matrix.proper_indptr();
        let mut message = Vec::with_capacity(
            HEAD_LEN
                + path.len()
                + 4 * (indptr.len() + 2 * matrix.nnz() + queens.map(<[u32]>::len).iter().sum::<usize>()),
        );
        message.extend(MAGIC.to_le_bytes());
        message.extend(abi_id.to_le_bytes());
        message.extend(seed.to_le_bytes());
        message.extend(log_limit.to_le_bytes());
        for len in [path.len(), queens[0].len(), queens[1].len(), matrix.rows()] {
            message.extend(u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes());
        }
        message.extend((matrix.nnz() as u64).to_le_bytes());
        message.extend((matrix.cols() as u64).to_le_bytes());
        message.extend(path);
        message.extend(queens.iter().copied().flatten().flat_map(|v| v.to_le_bytes()));
        message.extend(indptr.iter().flat_map(|i| i.to_le_bytes()));
        message.extend(matrix.indices().iter().flat_map(|i| i.to_le_bytes()));
        message.extend(matrix.data().iter().flat_map(|d| d.to_le_bytes()));
        message
    }

    /// Reads one set-up message, and not a byte beyond it.
    ///
    /// # Errors
    /// When the stream ends early or the message is not one that [`SetUp::encode`] writes.
    pub fn read(mut from: impl Read) -> Result<Self, SetUpError> {
        let mut head = [0; HEAD_LEN];
        from.read_exact(&mut head)?;
        let head = Head::decode(&head)?;
        let path = read_bytes(&mut from, head.path_len)?;
        let mut queens = [Vec::new(), Vec::new()];
        for (queens, len) in queens.iter_mut().zip(head.queens) {
            *queens = read_words(&mut from, len, u32::from_le_bytes)?;
        }
        let indptr = read_words(&mut from, head.rows.saturating_add(1), i32::from_le_bytes)?;
        let indices = read_words(&mut from, head.nnz, i32::from_le_bytes)?;
        let data = read_words(&mut from, head.nnz, u32::from_le_bytes)?;
        // try_new checks offsets, columns and their order.
        let matrix = CsMatI::try_new((head.rows, head.columns), indptr, indices, data)
            .map_err(|(_, _, _, error)| SetUpError::Content(error.to_string()))?;
        Ok(Self {
            path: Path::new(OsStr::from_bytes(&path)).to_owned(),
            abi_id: head.abi_id,
            seed: head.seed,
            log_limit: head.log_limit,
            matrix,
            queens,
        })
    }
}

/// The part of the message whose size is fixed.
struct Head {
    abi_id: u32,
    seed: u64,
    log_limit: u64,
    path_len: usize,
    queens: [usize; 2],
    rows: usize,
    columns: usize,
    nnz: usize,
}

impl Head {
    fn decode(bytes: &[u8; HEAD_LEN]) -> Result<Self, SetUpError> {
        let mut reader = Reader::new(bytes);
        if reader.u32() != Some(MAGIC) {
            return Err(SetUpError::Magic);
        }
        Self::fields(&mut reader).ok_or_else(|| SetUpError::Content("sizes".into()))
    }

    fn fields(reader: &mut Reader<'_>) -> Option<Self> {
        let size = |len: u64| usize::try_from(len).ok();
        Some(Self {
            abi_id: reader.u32().filter(|&id| id < 2)?,
            seed: reader.u64()?,
            log_limit: reader.u64()?,
            path_len: size(reader.u32()?.into())?,
            queens: [size(reader.u32()?.into())?, size(reader.u32()?.into())?],
            rows: size(reader.u32()?.into())?,
            nnz: size(reader.u64()?)?,
            columns: size(reader.u64()?)?,
        })
    }
}

/// What a pipe holds, and so the most that one read brings.
const CHUNK: usize = 1 << 16;

/// Reads `len` bytes; memory grows with what arrives, not with what was announced.
fn read_bytes(from: &mut impl Read, len: usize) -> Result<Vec<u8>, SetUpError> {
    let mut bytes = Vec::with_capacity(len.min(CHUNK));
    from.take(len as u64).read_to_end(&mut bytes)?;
    if bytes.len() < len {
        return Err(SetUpError::Read(io::ErrorKind::UnexpectedEof.into()));
    }
    Ok(bytes)
}

fn read_words<T>(from: &mut impl Read, len: usize, word: fn([u8; 4]) -> T) -> Result<Vec<T>, SetUpError> {
    let too_long = || SetUpError::Content(format!("{len} numbers"));
    let bytes = read_bytes(from, len.checked_mul(4).ok_or_else(too_long)?)?;
    Ok(bytes.as_chunks().0.iter().copied().map(word).collect())
}
