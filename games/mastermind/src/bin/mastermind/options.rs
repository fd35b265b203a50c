use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use amazons_program::Exit;
use clap::Args;
use mastermind::record::Line;
use mastermind::{Code, Game, Strategy};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What is played.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameOptions {
    /// Pegs x colours, and r (a colour may repeat) or n (it may not)
    #[arg(long, value_name = "PxCr|PxCn", default_value = "4x6r")]
    pub(crate) game: Game,
    /// The rule by which guesses are chosen: minimax, expected, entropy, parts or first
    #[arg(long, default_value = "entropy")]
    pub(crate) strategy: Strategy,
    /// Draw the secret by this number
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Write a record of the game, as JSON Lines
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Write a page with the game
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

/// The largest game whose guesses are scored.
const SCORED_MAX: u32 = 4_000_000;

impl GameOptions {
    /// Checks that the strategy can handle the game.
    pub(crate) fn check(&self) -> Result<(), Exit> {
        let Self { game, strategy, .. } = self;
        if game.codes() > SCORED_MAX && *strategy != Strategy::First {
            let codes = game.codes();
            return Err(Exit::Usage(format!(
                "{game} has {codes} codes: strategies score at most {SCORED_MAX}, use --strategy first"
            )));
        }
        Ok(())
    }

    /// Returns the seed, a random one if there is none.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| RandomState::new().hash_one(0))
    }

    /// Draws a secret.
    pub(crate) fn draw(&self, seed: u64) -> Code {
        self.game.code(Xoshiro256PlusPlus::seed_from_u64(seed).random_range(0..self.game.codes()))
    }
}

/// The record of a game as it is written.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    file: Option<(PathBuf, File)>,
    pub(crate) lines: Vec<Line>,
}

impl Recorder {
    pub(crate) fn create(path: Option<&Path>) -> Result<Self, Exit> {
        let create = |path: &Path| {
            let file = File::create(path).map_err(|error| Exit::Usage(format!("{}: {error}", path.display())))?;
            Ok::<_, Exit>((path.to_owned(), file))
        };
        Ok(Self { file: path.map(create).transpose()?, lines: Vec::new() })
    }

    pub(crate) fn write(&mut self, line: Line) -> Result<(), Exit> {
        if let Some((path, file)) = &mut self.file {
            writeln!(file, "{}", line.to_json())
                .map_err(|error| Exit::Failure(format!("cannot write {}: {error}", path.display())))?;
        }
        self.lines.push(line);
        Ok(())
    }
}
