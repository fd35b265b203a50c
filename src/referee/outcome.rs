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
    /// Why a void game is void: the failure of the host, or what the machine did, in words.
    pub void: Option<String>,
    /// Whether a void game may end differently when replayed.
    pub is_worth_repeating: bool,
    /// Whether it is void because the machine may have made a player late.
    pub is_disturbed: bool,
}
