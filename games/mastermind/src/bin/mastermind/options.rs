use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use amazons_program::Exit;
use clap::Args;
use mastermind::record::Line;
use mastermind::{Code, Game, Strategy};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::files::expect_writable;

/// The game.
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
    /// A rank of which nothing is heard for so long is lost
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    lost_after: u64,
}

/// The largest game whose guesses are reviewed after it: the time grows with the square of the codes.
pub(crate) const REVIEWED_MAX: u32 = 100_000;

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

    /// Checks that the page can be made and written, before the game begins.
    pub(crate) fn check_page(&self) -> Result<(), Exit> {
        let (game, codes) = (self.game, self.game.codes());
        if self.html.is_some() && codes > REVIEWED_MAX {
            return Err(Exit::Usage(format!("{game} has {codes} codes: --html handles at most {REVIEWED_MAX}")));
        }
        expect_writable(self.html.as_deref())
    }

    /// How long a rank may be silent.
    pub(crate) const fn lost_after(&self) -> Duration {
        Duration::from_secs(self.lost_after)
    }

    /// Returns the seed, or a random one.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| RandomState::new().hash_one(0))
    }

    pub(crate) fn draw(&self, seed: u64) -> Code {
        self.game.code(Xoshiro256PlusPlus::seed_from_u64(seed).random_range(0..self.game.codes()))
    }
}

#[derive(Debug, Default)]
pub(crate) struct Recorder {
    file: Option<(PathBuf, File)>,
    pub(crate) lines: Vec<Line>,
}

impl Recorder {
    pub(crate) fn create(path: Option<&Path>) -> Result<Self, Exit> {
        let create = |path: &Path| {
            let file = File::create(path).map_err(|error| Exit::unwritable(path, &error))?;
            Ok::<_, Exit>((path.to_owned(), file))
        };
        Ok(Self { file: path.map(create).transpose()?, lines: Vec::new() })
    }

    pub(crate) fn write(&mut self, line: Line) -> Result<(), Exit> {
        self.lines.push(line);
        self.append(self.lines.len() - 1)
    }

    /// Keeps this many lines and writes others after them, for a guess that is taken back or corrected.
    pub(crate) fn replace(&mut self, keep: usize, lines: impl IntoIterator<Item = Line>) -> Result<(), Exit> {
        self.lines.truncate(keep);
        self.lines.extend(lines);
        if let Some((path, file)) = &mut self.file {
            file.set_len(0).and_then(|()| file.rewind()).map_err(|error| unwritable(path, &error))?;
        }
        self.append(0)
    }

    /// Writes the lines from this one on.
    fn append(&mut self, from: usize) -> Result<(), Exit> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let text: String = self.lines[from..].iter().map(|line| line.to_json() + "\n").collect();
        file.write_all(text.as_bytes()).map_err(|error| unwritable(path, &error))
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Exit {
    Exit::Failure(format!("cannot write {}: {error}", path.display()))
}
