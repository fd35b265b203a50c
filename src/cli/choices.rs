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

/// How long a game is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UntilArg {
    /// Until it ends
    End,
    /// Until Ctrl-C
    Stay,
}

/// What time is.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ClockArg {
    /// Processor time
    Cpu,
    /// The wall clock
    Wall,
}

/// What to do where the kernel has less than the sandbox needs.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SandboxArg {
    /// Refuse to run players
    Strict,
    /// Make do with what there is, but not with nothing
    Auto,
    /// Run players without a sandbox
    Off,
}

/// Who moves first.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FirstArg {
    /// Player 1.
    #[value(name = "1")]
    One,
    /// Player 2.
    #[value(name = "2")]
    Two,
    /// Drawn with the seed.
    Random,
}

/// How the edges of a player's graph are numbered: on the command line, in plans and in journals.
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

/// What stands between players and server.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum IsolationArg {
    /// A process for each player
    Process,
    /// Nothing
    None,
}

/// How standings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StandingsArg {
    /// Text
    Text,
    /// Comma-separated values
    Csv,
    /// JSON
    Json,
    /// A page with plots
    Html,
}

/// When to draw the board.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum BoardsArg {
    /// After every move
    Every,
    /// At the start and at the end
    Ends,
    /// Not at all
    Never,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ColorArg {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColorArg {
    /// Returns whether to use colours on a terminal, or elsewhere.
    #[must_use]
    pub fn is_wanted(self, on_terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            // https://no-color.org
            Self::Auto => on_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        }
    }
}

/// The language of a new player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LanguageArg {
    /// C99
    C,
    /// Rust
    Rust,
}
