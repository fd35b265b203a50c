//! The frames between the server and a player's process after its set-up.
//!
//! Every frame has a fixed size below `PIPE_BUF` and is sent in one `write`, so frames of one pipe never mix. The
//! player shares its process with the reply descriptor: everything read from it is checked to the last byte.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use amazons_rules::Move;
use amazons_sandbox::bytes::{Reader, Writer};

use crate::referee::Call;

/// The size of an encoded [`Request`].
pub const REQUEST_LEN: usize = 32;
/// The size of an encoded [`Reply`].
pub const REPLY_LEN: usize = 512;
/// Maximum length of the text in a [`Reply`].
pub const TEXT_MAX: usize = REPLY_LEN - REPLY_HEAD_LEN;

const REPLY_HEAD_LEN: usize = 40;
const REQUEST_MAGIC: u32 = u32::from_le_bytes(*b"AmzQ");
const REPLY_MAGIC: u32 = u32::from_le_bytes(*b"AmzA");

/// The move for `play` if there is no previous one, and for frames without a move.
const NO_MOVE: Move = Move { from: u32::MAX, to: u32::MAX, arrow: u32::MAX };

/// Why bytes are not a frame, or not the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    #[error("a frame of {0} bytes")]
    Length(usize),
    #[error("not a frame")]
    Magic,
    /// No call has this number.
    #[error("unknown call {0}")]
    Call(u32),
    /// No status has this number, or not for this call.
    #[error("unknown status {0}")]
    Status(u32),
    #[error("a text of {0} bytes")]
    TextLength(u32),
    /// A field is set that this kind of frame leaves empty.
    #[error("unexpected content")]
    Stray,
    #[error("an answer to request {got} instead of {expected}")]
    Sequence {
        /// The request's number.
        expected: u64,
        /// The reply's number.
        got: u64,
    },
    #[error("an answer to {got} instead of {expected}")]
    OtherCall {
        /// The requested call.
        expected: Call,
        /// The call in the reply.
        got: Call,
    },
}

const CALLS: [Call; 5] = [Call::Load, Call::Initialize, Call::Name, Call::Play, Call::Finalize];

/// Returns the number of a call in frames.
const fn code_of(call: Call) -> u32 {
    call as u32 + 2
}

fn call_of(code: u32) -> Result<Call, FrameError> {
    CALLS.into_iter().find(|&call| code_of(call) == code).ok_or(FrameError::Call(code))
}

/// Requests one call from a player's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The number of the request, from 1.
    pub sequence: u64,
    pub call: Call,
    /// The opponent's move, for [`Call::Play`] only; `None` opens the game.
    pub previous: Option<Move>,
}

impl Request {
    pub fn encode(&self) -> [u8; REQUEST_LEN] {
        let mut bytes = [0; REQUEST_LEN];
        let mut writer = Writer::new(&mut bytes);
        writer.u32(REQUEST_MAGIC);
        writer.u32(code_of(self.call));
        writer.u64(self.sequence);
        write_move(&mut writer, self.previous.unwrap_or(NO_MOVE));
        bytes
    }

    /// Reads a request. Fails when the bytes were not written by [`Request::encode`].
    pub fn decode(bytes: &[u8]) -> Result<Self, FrameError> {
        let mut reader = reader_of(bytes, REQUEST_LEN, REQUEST_MAGIC)?;
        let truncated = FrameError::Length(bytes.len());
        let call = call_of(reader.u32().ok_or(truncated)?)?;
        let sequence = reader.u64().ok_or(truncated)?;
        let previous = Some(read_move(&mut reader).ok_or(truncated)?).filter(|&m| m != NO_MOVE);
        if !is_empty(reader.rest()) || (previous.is_some() && call != Call::Play) {
            return Err(FrameError::Stray);
        }
        Ok(Self { sequence, call, previous })
    }
}

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    /// The call returned.
    Done,
    /// `play` returned this move, and the player this value of it: the bits of an `f32`, not a number without one.
    Played(Move, u32),
    /// `finalize` returned; the player kept this many bytes of memory, modulo 2^32.
    Finalized(u32),
    /// `get_player_name` returned the text of the reply.
    Named,
    /// `get_player_name` returned NULL.
    Unnamed,
    /// The library could not be loaded; the reply's text has the reason. A bit is set for each of the
    /// four functions that it lacks.
    Failed(u32),
}

impl CallOutcome {
    const fn code(self) -> u32 {
        match self {
            Self::Done => 1,
            Self::Played(..) => 2,
            Self::Named => 3,
            Self::Unnamed => 4,
            Self::Failed(_) => 5,
            Self::Finalized(_) => 9,
        }
    }

    /// Returns the move and the number that a frame has with this outcome.
    const fn content(self) -> (Move, u32) {
        match self {
            Self::Played(played, value) => (played, value),
            Self::Finalized(number) | Self::Failed(number) => (NO_MOVE, number),
            _ => (NO_MOVE, 0),
        }
    }

    const fn from_code(code: u32, played: Move, number: u32, call: Call) -> Result<Self, FrameError> {
        Ok(match (code, call) {
            (1, Call::Load | Call::Initialize) => Self::Done,
            (2, Call::Play) => Self::Played(played, number),
            (3, Call::Name) => Self::Named,
            (4, Call::Name) => Self::Unnamed,
            (5, Call::Load) => Self::Failed(number),
            (9, Call::Finalize) => Self::Finalized(number),
            _ => return Err(FrameError::Status(code)),
        })
    }
}

/// The answer to one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The number of the request.
    pub sequence: u64,
    pub call: Call,
    pub outcome: CallOutcome,
    /// A player's name, its opinion of a move, or the reason for a failure.
    pub text: Vec<u8>,
}

impl Reply {
    /// Encodes the reply; a text beyond [`TEXT_MAX`] is cut.
    pub fn encode(&self) -> [u8; REPLY_LEN] {
        let mut bytes = [0; REPLY_LEN];
        let text = self.text.split_at_checked(TEXT_MAX).map_or(&*self.text, |(head, _)| head);
        let mut writer = Writer::new(&mut bytes);
        writer.u32(REPLY_MAGIC);
        writer.u32(code_of(self.call));
        writer.u64(self.sequence);
        // Does not allocate: the player may have broken the heap.
        let (played, number) = self.outcome.content();
        write_move(&mut writer, played);
        writer.u32(self.outcome.code());
        writer.u32(u32::try_from(text.len()).unwrap_or(u32::MAX));
        writer.u32(number);
        writer.bytes(text);
        bytes
    }

    /// Reads a reply. Fails when the bytes were not written by [`Reply::encode`].
    pub fn decode(bytes: &[u8]) -> Result<Self, FrameError> {
        let mut reader = reader_of(bytes, REPLY_LEN, REPLY_MAGIC)?;
        let truncated = FrameError::Length(bytes.len());
        let call = call_of(reader.u32().ok_or(truncated)?)?;
        let sequence = reader.u64().ok_or(truncated)?;
        let played = read_move(&mut reader).ok_or(truncated)?;
        let [code, text_len, number] = [reader.u32(), reader.u32(), reader.u32()].map(|field| field.ok_or(truncated));
        let (text_len, number) = (text_len?, number?);
        let outcome = CallOutcome::from_code(code?, played, number, call)?;
        let text =
            usize::try_from(text_len).ok().and_then(|len| reader.bytes(len)).ok_or(FrameError::TextLength(text_len))?;
        let has_text = matches!(outcome, CallOutcome::Named | CallOutcome::Played(..) | CallOutcome::Failed(_));
        let has_stray_text = !has_text && !text.is_empty();
        if (played, number) != outcome.content() || !is_empty(reader.rest()) || has_stray_text {
            return Err(FrameError::Stray);
        }
        Ok(Self { sequence, call, outcome, text: text.to_vec() })
    }

    /// Checks that this is the expected reply.
    /// Fails when number or call differ: even a well-formed reply may be an earlier one sent twice.
    pub fn check(&self, sequence: u64, call: Call) -> Result<(), FrameError> {
        if self.sequence != sequence {
            return Err(FrameError::Sequence { expected: sequence, got: self.sequence });
        }
        if self.call != call {
            return Err(FrameError::OtherCall { expected: call, got: self.call });
        }
        Ok(())
    }
}

fn reader_of(bytes: &[u8], len: usize, magic: u32) -> Result<Reader<'_>, FrameError> {
    if bytes.len() != len {
        return Err(FrameError::Length(bytes.len()));
    }
    let mut reader = Reader::new(bytes);
    match reader.u32() {
        Some(first) if first == magic => Ok(reader),
        _ => Err(FrameError::Magic),
    }
}

fn is_empty(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0)
}

fn write_move(writer: &mut Writer<'_>, m: Move) {
    writer.u32(m.from);
    writer.u32(m.to);
    writer.u32(m.arrow);
}

fn read_move(reader: &mut Reader<'_>) -> Option<Move> {
    Some(Move { from: reader.u32()?, to: reader.u32()?, arrow: reader.u32()? })
}
