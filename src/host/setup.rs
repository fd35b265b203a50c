//! The message that sends a game to a player's process, after the sandbox's own.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::io::Read;

use amazons_player::GraphFields;
use amazons_sandbox::SetUpError;
use amazons_sandbox::bytes::{Reader, read_head, read_numbers};
use sprs::CsMatI;

use super::config::SeatConfig;

const MAGIC: u32 = u32::from_le_bytes(*b"AmzG");
const HEAD_LEN: usize = 52;

/// A player's game.
#[derive(Clone, Debug, PartialEq)]
pub struct SetUp {
    /// The player's id: 0 moves first.
    pub abi_id: u32,
    /// The seed of the player's `rand`.
    pub seed: u64,
    /// The graph's fields if it imitates another server.
    pub foreign: Option<GraphFields>,
    /// The graph, in CSR form.
    pub matrix: CsMatI<u32, i32>,
    /// The vertices of the queens of the first and of the second player to move.
    pub queens: [Vec<u32>; 2],
}

impl SetUp {
    /// Appends the message to another one, without copying the parts: graphs can be large.
    pub fn encode(config: &SeatConfig<'_>, message: &mut Vec<u8>) {
        let (matrix, queens) = (config.matrix, config.queens);
        let indptr = matrix.proper_indptr();
        let numbers = indptr.len() + 2 * matrix.nnz() + queens.map(<[u32]>::len).iter().sum::<usize>();
        message.reserve(HEAD_LEN + 4 * numbers);
        message.extend([MAGIC, config.abi_id].map(u32::to_le_bytes).as_flattened());
        message.extend(config.seed.to_le_bytes());
        for len in [queens[0].len(), queens[1].len(), matrix.rows()] {
            message.extend(u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes());
        }
        for len in [matrix.nnz(), matrix.cols()] {
            message.extend((len as u64).to_le_bytes());
        }
        // `sptype` plus one, so that two zeros mean one of our own graphs.
        let fields = |fields: GraphFields| [fields.num_vertices, fields.sptype.cast_unsigned().wrapping_add(1)];
        let foreign = config.foreign.map_or([0; 2], fields);
        message.extend(foreign.map(u32::to_le_bytes).as_flattened());
        queens.into_iter().for_each(|vertices| append(message, vertices, u32::to_le_bytes));
        append(message, &indptr, i32::to_le_bytes);
        append(message, matrix.indices(), i32::to_le_bytes);
        append(message, matrix.data(), u32::to_le_bytes);
    }

    /// Reads one message and not a byte more.
    /// Fails when the stream ends early or the message was not written by [`SetUp::encode`].
    pub fn read(mut from: impl Read) -> Result<Self, SetUpError> {
        let fields = |head: &mut Reader<'_>| {
            let (abi_id, seed) = (head.u32().filter(|&id| id < 2)?, head.u64()?);
            let queens = [head.count()?, head.count()?];
            let rows = head.count()?;
            let (nnz, columns) = (usize::try_from(head.u64()?).ok()?, usize::try_from(head.u64()?).ok()?);
            let foreign = match [head.u32()?, head.u32()?] {
                [0, 0] => None,
                [num_vertices, next @ 1..=3] => Some(GraphFields { num_vertices, sptype: next.cast_signed() - 1 }),
                _ => return None,
            };
            Some((abi_id, seed, queens, rows, nnz, columns, foreign))
        };
        let (abi_id, seed, queens, rows, nnz, columns, foreign) = read_head::<_, HEAD_LEN>(&mut from, MAGIC, fields)?;
        let [first, second] = queens.map(|len| read_numbers(&mut from, len, u32::from_le_bytes));
        let queens = [first?, second?];
        let indptr = read_numbers(&mut from, rows.saturating_add(1), i32::from_le_bytes)?;
        let indices = read_numbers(&mut from, nnz, i32::from_le_bytes)?;
        let data = read_numbers(&mut from, nnz, u32::from_le_bytes)?;
        // try_new checks columns and their order, but accepts any first offset.
        if indptr.first() != Some(&0) {
            return Err(SetUpError::Content("offsets".into()));
        }
        let matrix = CsMatI::try_new((rows, columns), indptr, indices, data)
            .map_err(|(_, _, _, error)| SetUpError::Content(error.to_string()))?;
        Ok(Self { abi_id, seed, foreign, matrix, queens })
    }
}

/// Appends numbers, all at once: a graph can have millions.
fn append<T: Copy>(message: &mut Vec<u8>, numbers: &[T], bytes: impl Fn(T) -> [u8; 4]) {
    let start = message.len();
    message.resize(start + 4 * numbers.len(), 0);
    let room = message.get_mut(start..).unwrap_or_default().as_chunks_mut().0;
    for (to, &from) in room.iter_mut().zip(numbers) {
        *to = bytes(from);
    }
}
