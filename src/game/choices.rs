use amazons_rules::{Directions, Shape};
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Serialize};

/// Parses the letter of a board's shape.
pub(super) fn shape() -> impl TypedValueParser<Value = Shape> {
    let shapes = [("c", "Square"), ("d", "Donut"), ("t", "Clover"), ("8", "Figure-eight")];
    let values = shapes.map(|(code, name)| PossibleValue::new(code).help(name));
    PossibleValuesParser::new(values).try_map(|code| code.parse())
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
