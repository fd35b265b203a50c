use amazons_rules::Step;

/// A place on a board, numbered for fast access in the game's states.
pub type Cell = u32;

/// A step from `from` to `to`, or a shot of the queen on `from` to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfMove {
    /// Step or shot.
    pub half: Step,
    /// Where the queen stands.
    pub from: Cell,
    /// Where it goes or where the arrow lands.
    pub to: Cell,
}
