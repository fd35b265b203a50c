use std::env;
use std::io::{self, IsTerminal as _};

use clap::ValueEnum;

use crate::terminal::Palette;

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
    /// Returns the palette for standard output.
    pub fn palette(self) -> Palette {
        match self {
            Self::Always => Palette::Ansi,
            // https://no-color.org
            Self::Auto
                if io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) =>
            {
                Palette::Ansi
            }
            Self::Auto | Self::Never => Palette::Plain,
        }
    }
}
