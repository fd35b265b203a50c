use amazons_rules::Step;

/// A place on a board, numbered so that the game's states find it quickly.
pub type Cell = u32;

/// A step from `from` to `to`, or a shot of the queen on `from` to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfMove {
    /// Which half of a move it is.
    pub half: Step,
    /// Where the queen stands.
    pub from: Cell,
    /// Where it goes or shoots.
    pub to: Cell,
}
