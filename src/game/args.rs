use std::path::{Path, PathBuf};

use amazons_rules::Shape;
use clap::Args;

use super::GameSettings;
use super::choices::{FirstArg, shape};
use crate::host::Isolation;
use crate::values::{self, BoardSize};

/// A board by its shape and size.
#[derive(Clone, Debug, Default, Args)]
pub struct BoardArgs {
    /// Size of the board: M rows and M columns, 5 to 1000 [default: 10]
    #[arg(short = 'm', long = "size", value_name = "M", value_parser = BoardSize::number, allow_negative_numbers = true)]
    pub size: Option<u32>,
    /// Shape of the board: c square, d donut, t clover, 8 figure-eight [default: c]
    #[arg(short = 't', long = "type", value_name = "SHAPE", value_parser = shape())]
    pub shape: Option<Shape>,
    /// Start from a position text such as '3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w'; without -m and -t its ranks make the board
    #[arg(long, value_name = "TEXT")]
    pub position: Option<String>,
}

/// A single game: its players, board and settings.
#[derive(Clone, Debug, Default, Args)]
pub struct GameArgs {
    /// Player 1: a shared library, human (here) or web (at a browser), champion:1 to champion:8 (the bundled champion at eight strengths), or another program as bridge:COMMAND, uci:COMMAND, botzone:COMMAND or codingame:COMMAND
    #[arg(value_name = "PLAYER1", required = true)]
    pub player1: Option<PathBuf>,
    /// Player 2, likewise; may be the same file
    #[arg(value_name = "PLAYER2", required = true)]
    pub player2: Option<PathBuf>,
    /// The board.
    #[command(flatten, next_help_heading = "Game")]
    pub board: BoardArgs,
    /// Seed of all random choices, also of the players' rand() [default: a new one each time, shown]
    #[arg(long, value_name = "N", value_parser = values::seed, allow_negative_numbers = true, help_heading = "Game")]
    pub seed: Option<u64>,
    /// The player that moves first
    #[arg(long, value_name = "WHO", default_value = "1", help_heading = "Game")]
    pub first: FirstArg,
    /// Options of player 1, as AMAZONS_OPTIONS in its environment: level=3 for the champion; a uci: program gets them as 'Hash=64; Skill Level=5'
    #[arg(long, value_name = "TEXT", help_heading = "Game")]
    pub options1: Option<String>,
    /// Options of player 2, likewise
    #[arg(long, value_name = "TEXT", help_heading = "Game")]
    pub options2: Option<String>,
    /// The settings.
    #[command(flatten)]
    pub settings: GameSettings,
    /// The isolation of players from the server; with none, for debuggers, they run inside it without any protection, no time limit is enforced, and their output goes to the terminal
    #[arg(long, value_name = "HOW", default_value = "process", help_heading = "Safety")]
    pub isolation: Isolation,
}

impl GameArgs {
    /// Returns a game between two players with seed 0 and default options.
    pub fn between([one, two]: [&Path; 2], settings: GameSettings) -> Self {
        let [player1, player2] = [one, two].map(|player| Some(player.to_owned()));
        Self { player1, player2, seed: Some(0), settings, ..Self::default() }
    }
}
