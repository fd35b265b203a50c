use amazons_rules::{Directions, Shape};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// The shape of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShapeArg {
    /// Square
    C,
    /// Donut
    D,
    /// Clover
    T,
    /// Figure-eight
    #[value(name = "8")]
    Eight,
}

impl From<ShapeArg> for Shape {
    fn from(arg: ShapeArg) -> Self {
        match arg {
            ShapeArg::C => Self::Square,
            ShapeArg::D => Self::Donut,
            ShapeArg::T => Self::Clover,
            ShapeArg::Eight => Self::FigureEight,
        }
    }
}

/// The player that moves first.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum FirstArg {
    /// Player 1.
    #[default]
    #[value(name = "1")]
    One,
    /// Player 2.
    #[value(name = "2")]
    Two,
    /// Drawn with the seed.
    Random,
}

/// The numbering of the edges of a player's graph: on the command line, in plans and in journals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DirectionsArg {
    /// N 1, NE 2, E 3, SE 4, S 5, SW 6, W 7, NW 8: clockwise
    #[default]
    Ring,
    /// N 1, NE 2, W 3, SE 4, S 5, SW 6, E 7, NW 8: as in the subject's example
    Subject,
}

impl From<DirectionsArg> for Directions {
    fn from(arg: DirectionsArg) -> Self {
        match arg {
            DirectionsArg::Ring => Self::Ring,
            DirectionsArg::Subject => Self::Subject,
        }
    }
}

impl From<Directions> for DirectionsArg {
    fn from(directions: Directions) -> Self {
        match directions {
            Directions::Ring => Self::Ring,
            Directions::Subject => Self::Subject,
        }
    }
}
