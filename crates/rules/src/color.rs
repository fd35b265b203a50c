use std::fmt;

/// The colour of a queen.
///
/// On the four shapes Black stands on top and moves first; in standard 10x10 Amazons White moves first, from below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// `q` in position text.
    Black,
    /// `Q` in position text.
    White,
}

impl Color {
    /// Both colours, in the order of [`Color::index`].
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// Returns 0 for Black and 1 for White.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the other colour.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}
