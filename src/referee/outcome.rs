use amazons_rules::Position;

use crate::referee::{PlayerNumber, Termination};

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winner, if there is one.
    pub winner: Option<PlayerNumber>,
    /// How the game ended.
    pub termination: Termination,
    /// The players at fault, in `finalize` too, where it changes no result.
    pub at_fault: Vec<PlayerNumber>,
    /// How many legal moves were played.
    pub moves: u32,
    /// The position after the last legal move.
    pub position: Position,
    /// Why a void game is void: our own failure in words.
    pub void: Option<String>,
    /// Whether a void game may end otherwise when it is played again.
    pub is_worth_repeating: bool,
}
