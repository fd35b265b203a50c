use std::fmt;

/// The meaning of the labels 1 to 8 of a grid's edges.
///
/// In both numberings, the labels of opposite directions differ by four.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Directions {
    /// N 1, NE 2, E 3, SE 4, S 5, SW 6, W 7, NW 8: the clockwise ring of the course's final header.
    #[default]
    Ring,
    /// N 1, NE 2, W 3, SE 4, S 5, SW 6, E 7, NW 8: east and west as in the example of the course's subject.
    Subject,
}

impl Directions {
    /// Both numberings, the default first.
    pub const ALL: [Self; 2] = [Self::Ring, Self::Subject];

    /// Returns the other numbering.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Ring => Self::Subject,
            Self::Subject => Self::Ring,
        }
    }

    /// Returns the name used on the command line and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ring => "ring",
            Self::Subject => "subject",
        }
    }

    /// Returns the labels that the two numberings exchange.
    pub const fn east_and_west(self) -> [u32; 2] {
        match self {
            Self::Ring => [3, 7],
            Self::Subject => [7, 3],
        }
    }

    /// Returns the edges of a grid cell as (row step, column step, label), ordered by target vertex.
    pub const fn steps(self) -> [(i64, i64, u32); 8] {
        let [east, west] = self.east_and_west();
        [(-1, -1, 8), (-1, 0, 1), (-1, 1, 2), (0, -1, west), (0, 1, east), (1, -1, 6), (1, 0, 5), (1, 1, 4)]
    }
}

impl fmt::Display for Directions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
