use clap::ValueEnum;

/// The end of showing a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UntilArg {
    /// Until it ends
    End,
    /// Until Ctrl-C
    Stay,
}

/// A form of standings.
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
    /// The games that are rated, for Ordo, BayesElo and the like
    Pgn,
}

/// The use of colours.
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
    /// C++17
    Cpp,
    /// Go
    Go,
    /// Python, as a program behind bridge:
    Python,
}
