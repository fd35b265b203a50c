//! The message that sets a player's process up, sent before any code of the player runs.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use amazons_player::GraphFields;
use sprs::{CsMatI, CsMatViewI};

use super::bytes::Reader;
use super::sandbox::SandboxMode;

const MAGIC: u32 = u32::from_le_bytes(*b"AmzS");
const HEAD_LEN: usize = 92;

/// Why a set-up message could not be read.
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
    /// What to run, and within which bounds.
    pub orders: ProcessSpec,
    /// The graph, in CSR form.
    pub matrix: CsMatI<u32, i32>,
    /// The vertices of the queens of the first and of the second player to move.
    pub queens: [Vec<u32>; 2],
}

/// What a player's process is to run, and within which bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessSpec {
    /// The player's library, absolute.
    pub path: PathBuf,
    /// What the process is for.
    pub task: Task,
    /// What the player is told it is: 0 moves first.
    pub abi_id: u32,
    /// Seeds what the player draws from `rand`.
    pub seed: u64,
    /// What the player finds in its environment, each as `NAME=value`.
    pub environment: Vec<OsString>,
    /// What to do about a kernel that has less than the sandbox needs.
    pub sandbox: SandboxMode,
    /// What the player may read besides its library and the system's.
    pub allow_read: Vec<PathBuf>,
    /// How many threads the player may run.
    pub threads: u32,
    /// How many bytes the player may print.
    pub log_limit: u64,
    /// How many bytes of its own memory the process may map.
    pub data_limit: u64,
}

/// What a process is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// To load the library and answer calls.
    Play,
    /// The same with a graph as another server would hand it out, and what its fields say.
    PlayForeign(GraphFields),
    /// To become the program at the path, with these arguments, its name first.
    Run(Vec<OsString>),
    /// To say which functions and lines of the library these offsets belong to, without running it.
    Locate(Vec<u64>),
}

impl SetUp {
    /// Writes a set-up message from borrowed parts: graphs can be large.
    #[must_use]
    pub fn encode(orders: &ProcessSpec, matrix: CsMatViewI<'_, u32, i32>, queens: [&[u32]; 2]) -> Vec<u8> {
        let indptr = matrix.proper_indptr();
        let numbers = indptr.len() + 2 * matrix.nnz() + queens.map(<[u32]>::len).iter().sum::<usize>();
        let offsets = match &orders.task {
            Task::Play | Task::PlayForeign(_) | Task::Run(_) => &[][..],
            Task::Locate(offsets) => offsets,
        };
        let arguments = match &orders.task {
            Task::Run(arguments) => arguments,
            Task::Play | Task::PlayForeign(_) | Task::Locate(_) => &[][..],
        };
        let mut message = Vec::with_capacity(HEAD_LEN + 1024 + 4 * numbers);
        message.extend(MAGIC.to_le_bytes());
        message.extend(orders.abi_id.to_le_bytes());
        for number in [orders.seed, orders.log_limit, orders.data_limit] {
            message.extend(number.to_le_bytes());
        }
        let lens = [orders.allow_read.len(), orders.environment.len(), arguments.len(), offsets.len()];
        let lens = lens.into_iter().chain([queens[0].len(), queens[1].len(), matrix.rows()]);
        let lens = lens.map(|len| u32::try_from(len).unwrap_or(u32::MAX));
        for number in [orders.sandbox.code(), orders.threads].into_iter().chain(lens) {
            message.extend(number.to_le_bytes());
        }
        message.extend((matrix.nnz() as u64).to_le_bytes());
        message.extend((matrix.cols() as u64).to_le_bytes());
        let foreign = if let Task::PlayForeign(fields) = orders.task { encode_fields(fields) } else { [0; 2] };
        message.extend(foreign.map(u32::to_le_bytes).as_flattened());
        let paths = [&orders.path].into_iter().chain(&orders.allow_read).map(|path| path.as_os_str());
        for text in paths.chain(orders.environment.iter().chain(arguments).map(OsString::as_os_str)) {
            message.extend(u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes());
            message.extend(text.as_bytes());
        }
        message.extend(offsets.iter().flat_map(|offset| offset.to_le_bytes()));
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
        let path = read_text(&mut from)?.into();
        let allow_read = read_texts(&mut from, head.allow_read)?.into_iter().map(PathBuf::from).collect();
        let environment = read_texts(&mut from, head.environment)?;
        let arguments = read_texts(&mut from, head.arguments)?;
        let offsets = read_numbers(&mut from, head.offsets, u64::from_le_bytes)?;
        let mut queens = [Vec::new(), Vec::new()];
        for (queens, len) in queens.iter_mut().zip(head.queens) {
            *queens = read_numbers(&mut from, len, u32::from_le_bytes)?;
        }
        let indptr = read_numbers(&mut from, head.rows.saturating_add(1), i32::from_le_bytes)?;
        let indices = read_numbers(&mut from, head.nnz, i32::from_le_bytes)?;
        let data = read_numbers(&mut from, head.nnz, u32::from_le_bytes)?;
        // try_new checks columns and their order, but takes offsets that start anywhere.
        if indptr.first() != Some(&0) {
            return Err(SetUpError::Content("offsets".into()));
        }
        let matrix = CsMatI::try_new((head.rows, head.columns), indptr, indices, data)
            .map_err(|(_, _, _, error)| SetUpError::Content(error.to_string()))?;
        let orders = ProcessSpec {
            path,
            task: match (arguments.is_empty(), offsets.is_empty(), head.foreign) {
                (true, true, None) => Task::Play,
                (true, true, Some(fields)) => Task::PlayForeign(fields),
                (true, false, None) => Task::Locate(offsets),
                (false, true, None) => Task::Run(arguments),
                _ => return Err(SetUpError::Content("two tasks".into())),
            },
            abi_id: head.abi_id,
            seed: head.seed,
            environment,
            sandbox: head.sandbox,
            allow_read,
            threads: head.threads,
            log_limit: head.log_limit,
            data_limit: head.data_limit,
        };
        Ok(Self { orders, matrix, queens })
    }
}

/// The part of the message whose size is fixed.
struct Head {
    abi_id: u32,
    seed: u64,
    log_limit: u64,
    data_limit: u64,
    sandbox: SandboxMode,
    threads: u32,
    allow_read: usize,
    environment: usize,
    arguments: usize,
    offsets: usize,
    queens: [usize; 2],
    rows: usize,
    columns: usize,
    nnz: usize,
    /// What the fields of a graph say that another server would hand out.
    foreign: Option<GraphFields>,
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
            data_limit: reader.u64()?,
            sandbox: SandboxMode::from_code(reader.u32()?)?,
            threads: reader.u32()?,
            allow_read: size(reader.u32()?.into())?,
            environment: size(reader.u32()?.into())?,
            arguments: size(reader.u32()?.into())?,
            offsets: size(reader.u32()?.into())?,
            queens: [size(reader.u32()?.into())?, size(reader.u32()?.into())?],
            rows: size(reader.u32()?.into())?,
            nnz: size(reader.u64()?)?,
            columns: size(reader.u64()?)?,
            foreign: decode_fields([reader.u32()?, reader.u32()?])?,
        })
    }
}

/// Writes `sptype` as the number after it, so that two zeros are left for graphs of our own.
fn encode_fields(fields: GraphFields) -> [u32; 2] {
    [fields.num_vertices, fields.sptype.cast_unsigned().wrapping_add(1)]
}

/// Reads what [`encode_fields`] writes, if it can be a graph's.
fn decode_fields(numbers: [u32; 2]) -> Option<Option<GraphFields>> {
    match numbers {
        [0, 0] => Some(None),
        [num_vertices, next @ 1..=3] => Some(Some(GraphFields { num_vertices, sptype: next.cast_signed() - 1 })),
        _ => None,
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

fn read_text(from: &mut impl Read) -> Result<OsString, SetUpError> {
    let mut len = [0; 4];
    from.read_exact(&mut len)?;
    let len = usize::try_from(u32::from_le_bytes(len)).unwrap_or(usize::MAX);
    Ok(OsString::from_vec(read_bytes(from, len)?))
}

fn read_texts(from: &mut impl Read, count: usize) -> Result<Vec<OsString>, SetUpError> {
    (0..count).map(|_| read_text(from)).collect()
}

fn read_numbers<T, const N: usize>(
    from: &mut impl Read,
    len: usize,
    number: fn([u8; N]) -> T,
) -> Result<Vec<T>, SetUpError> {
    let too_long = || SetUpError::Content(format!("{len} numbers"));
    let bytes = read_bytes(from, len.checked_mul(N).ok_or_else(too_long)?)?;
    Ok(bytes.as_chunks().0.iter().copied().map(number).collect())
}
