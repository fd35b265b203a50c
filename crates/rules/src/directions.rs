use std::fmt;

/// What the labels 1 to 8 of a grid's edges mean.
///
/// Both give opposite directions labels that differ by four.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Directions {
    /// N 1, NE 2, W 3, SE 4, S 5, SW 6, E 7, NW 8: the numbers of the course's header.
    #[default]
    Subject,
    /// N 1, NE 2, E 3, SE 4, S 5, SW 6, W 7, NW 8: the clockwise ring that many teams adopted.
    Ring,
}

impl Directions {
    /// Returns the name used on the command line and in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Subject => "subject",
            Self::Ring => "ring",
        }
    }

    /// Returns the edges of a grid cell as (row step, column step, label), in the order of the vertices they lead to.
    #[must_use]
    pub const fn steps(self) -> [(i64, i64, u32); 8] {
        let (west, east) = match self {
            Self::Subject => (3, 7),
            Self::Ring => (7, 3),
        };
        [(-1, -1, 8), (-1, 0, 1), (-1, 1, 2), (0, -1, west), (0, 1, east), (1, -1, 6), (1, 0, 5), (1, 1, 4)]
    }
}

impl fmt::Display for Directions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
