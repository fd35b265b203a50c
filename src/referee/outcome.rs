use std::time::Duration;

use amazons_rules::Position;

use crate::referee::{PlayerNumber, Termination};

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winner, if any.
    pub winner: Option<PlayerNumber>,
    /// How the game ended.
    pub termination: Termination,
    /// The players at fault, including in `finalize`, where it does not change the result.
    pub at_fault: Vec<PlayerNumber>,
    /// The number of legal moves.
    pub moves: u32,
    /// The position after the last legal move.
    pub position: Position,
    /// How long the calls of each player took together, on the wall clock.
    pub waited: [Duration; 2],
    /// Why the game is void, if it is.
    pub void: Option<Void>,
}

/// Why a game is void.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Void {
    /// The failure of the host, or what the machine did, in words.
    pub reason: String,
    /// Whether to play it again.
    pub cause: Cause,
}

/// The kind of cause that makes a game void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The machine may have made a player late.
    Disturbed,
    /// The host failed, and may not fail again.
    Passing,
    /// The host failed, and would fail again.
    Lasting,
}
