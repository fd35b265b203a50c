/// The number of a vertex: row-major on grids, 0 in the top-left corner.
pub type Vertex = u32;

/// A queen's step and the arrow that it then shoots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Where the queen stood.
    pub from: Vertex,
    /// Where it landed.
    pub to: Vertex,
    /// Where its arrow hit; may equal `from`.
    pub arrow: Vertex,
}
