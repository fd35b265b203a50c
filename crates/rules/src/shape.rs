use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The outline of an m x m board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Every cell.
    Square,
    /// A square hole in the middle.
    Donut,
    /// Four square holes, one in each quarter.
    Clover,
    /// Two holes that meet the centre along one diagonal.
    FigureEight,
}

/// The error of parsing a [`Shape`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownShape(String);

impl fmt::Display for UnknownShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown board shape '{}': use c (square), d (donut), t (clover) or 8 (figure-eight)", self.0)
    }
}

impl Error for UnknownShape {}

impl Shape {
    /// All shapes, in the order of the documentation.
    pub const ALL: [Self; 4] = [Self::Square, Self::Donut, Self::Clover, Self::FigureEight];

    /// Returns the letter used on the command line and in records.
    pub const fn code(self) -> char {
        match self {
            Self::Square => 'c',
            Self::Donut => 'd',
            Self::Clover => 't',
            Self::FigureEight => '8',
        }
    }

    /// Returns the name in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Square => "square",
            Self::Donut => "donut",
            Self::Clover => "clover",
            Self::FigureEight => "figure-eight",
        }
    }

    /// Returns whether the m x m board of this shape lacks the cell.
    ///
    /// The holes are the course's pictures where m is a multiple of 3 (donut), 5 (clover) or 4 (figure-eight);
    /// between those the same rule is kept symmetric.
    pub(crate) fn has_hole(self, m: u32, row: u32, column: u32) -> bool {
        match self {
            Self::Square => false,
            Self::Donut => {
                let middle = m / 3..m - m / 3;
                middle.contains(&row) && middle.contains(&column)
            }
            Self::Clover => {
                let k = m / 5;
                let has_hole = |at: u32| (k..2 * k).contains(&at) || (m - 2 * k..m - k).contains(&at);
                has_hole(row) && has_hole(column)
            }
            Self::FigureEight => {
                // With odd m the centre cell stays as the bridge, so the holes are one longer on one side.
                let (k, h, odd) = (m / 4, m / 2, m % 2);
                let is_upper_right = (h - k..h + odd).contains(&row) && (h + odd..h + k + odd).contains(&column);
                let is_lower_left = (h..h + k + odd).contains(&row) && (h - k..h).contains(&column);
                is_upper_right || is_lower_left
            }
        }
    }
}

impl FromStr for Shape {
    type Err = UnknownShape;

    fn from_str(text: &str) -> Result<Self, UnknownShape> {
        Self::ALL.into_iter().find(|shape| text.chars().eq([shape.code()])).ok_or_else(|| UnknownShape(text.to_owned()))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
