//! The trait that a player implements.

use std::env;
use std::ffi::CStr;
use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use amazons_rules::{Board, Color, Move, Position};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// The random number generator of players, fixed so that a seed gives the same game in every release.
pub type Rng = Xoshiro256PlusPlus;

/// A player of Amazons; [`export_player!`](crate::export_player) exports it as a C shared library.
///
/// The caller keeps the position up to date: `play` reads it and answers.
pub trait Player: Sized + Send {
    /// The name that the server shows.
    const NAME: &'static CStr;

    /// Returns the name in this game, for a player whose settings belong into it.
    fn name(&self) -> &'static CStr {
        Self::NAME
    }

    /// Prepares for a game.
    fn new(game: &GameInfo) -> Self;

    /// Chooses a move in a position where the player is to move; `None` resigns.
    fn play(&mut self, position: &Position) -> Option<Move>;

    /// Returns what the player thinks of the position after its last move; servers may show it.
    fn opinion(&self) -> Option<Opinion> {
        None
    }
}

/// A player's opinion of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opinion {
    /// From -1, lost for the player, to 1, won.
    pub value: f64,
    /// A short line of text, or nothing.
    pub text: String,
}

/// A game's set-up, as its player knows it.
#[derive(Clone, Debug)]
pub struct GameInfo {
    /// The board without stones.
    pub board: Arc<Board>,
    /// The player's colour; Black has ABI id 0, which usually moves first.
    pub color: Color,
    /// The seed of the game's randomness, `AMAZONS_SEED`; a random number if unset.
    pub seed: u64,
    /// The time limits of a move.
    pub limits: TimeLimits,
    /// Words that configure the player, `AMAZONS_OPTIONS`; empty if unset.
    pub options: String,
}

impl GameInfo {
    /// Reads seed and limits with `var`, usually `std::env::var`.
    pub fn new(board: Arc<Board>, color: Color, var: impl Fn(&str) -> Option<String>) -> Self {
        Self {
            board,
            color,
            seed: number(&var, "AMAZONS_SEED").unwrap_or_else(|| RandomState::new().hash_one(0)),
            options: var("AMAZONS_OPTIONS").unwrap_or_default(),
            limits: TimeLimits::new(var),
        }
    }

    /// Reads seed and limits from the environment.
    pub fn from_env(board: Arc<Board>, color: Color) -> Self {
        Self::new(board, color, |name| env::var(name).ok())
    }

    /// Returns the value of an option, a word `NAME=VALUE` of the options; `None` if it is missing or malformed.
    #[must_use]
    pub fn option<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        let mut words = self.options.split_whitespace().filter_map(|word| word.split_once('='));
        words.find(|(found, _)| *found == name)?.1.parse().ok()
    }

    /// Returns a generator made from the seed, different for each colour.
    pub fn rng(&self) -> Rng {
        let mut rng = Rng::seed_from_u64(self.seed);
        if self.color == Color::White {
            rng.jump();
        }
        rng
    }
}

/// The time limits of a move, and the number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimits {
    /// The CPU time of all threads together, `AMAZONS_MOVE_CPU_MS`.
    pub cpu: Option<Duration>,
    /// The time on the wall clock, `AMAZONS_MOVE_WALL_MS`.
    pub wall: Option<Duration>,
    /// The time of all moves of a game together, `AMAZONS_GAME_MS`, by the server's clock.
    pub game: Option<Duration>,
    /// The time added per move, `AMAZONS_INCREMENT_MS`, 0 if unset.
    pub increment: Duration,
    /// The number of threads allowed, `AMAZONS_THREADS`, 1 if unset.
    pub threads: NonZeroUsize,
}

impl TimeLimits {
    fn new(var: impl Fn(&str) -> Option<String>) -> Self {
        let duration = |name| number(&var, name).map(Duration::from_millis);
        Self {
            cpu: duration("AMAZONS_MOVE_CPU_MS"),
            wall: duration("AMAZONS_MOVE_WALL_MS"),
            game: duration("AMAZONS_GAME_MS"),
            increment: duration("AMAZONS_INCREMENT_MS").unwrap_or_default(),
            threads: number(&var, "AMAZONS_THREADS").unwrap_or(NonZeroUsize::MIN),
        }
    }

    /// Returns whether the server sets a limit; other servers set none, and their clocks are unknown.
    pub const fn are_told(&self) -> bool {
        self.cpu.is_some() || self.wall.is_some() || self.game.is_some()
    }

    /// Returns how long a move may take with all threads busy: the tighter limit of a move, or `None` without one.
    pub fn per_move(&self) -> Option<Duration> {
        let threads = u32::try_from(self.threads.get()).unwrap_or(u32::MAX);
        let cpu = self.cpu.map(|cpu| cpu / threads);
        [cpu, self.wall].into_iter().flatten().min()
    }
}

/// Missing or malformed variables count as unset: a server's typo must not lose a game.
fn number<N: std::str::FromStr>(var: impl Fn(&str) -> Option<String>, name: &str) -> Option<N> {
    var(name)?.trim().parse().ok()
}
