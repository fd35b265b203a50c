//! The common part of all searching players: they search until their clock tells them to answer.
#![warn(missing_docs)]

mod bundled;

use std::ffi::CStr;
use std::fmt;
use std::sync::Arc;

pub use amazons_player as player;
pub use bundled::{Bundled, Found, MARK_LEN, Resources};

use amazons_engine::{Arrows, Engine, EngineConfig, Level, SearchResult, chance};
use amazons_player::rules::{Move, Position};
use amazons_player::{GameClock, GameInfo, Opinion, Rng};
use amazons_search::Progress;

/// A search with a clock.
pub struct EnginePlayer {
    bundled: Bundled,
    /// `None` on boards too large to search.
    engine: Option<Box<dyn Engine>>,
    clock: GameClock,
    /// The option `nodes`: a search ends after about this many nodes.
    nodes: u64,
    rng: Rng,
    opinion: Option<Opinion>,
    /// The option `level`, or why it cannot be followed: a player of another strength would be worse than none.
    level: Result<Option<u32>, ()>,
}

impl EnginePlayer {
    /// Prepares a bundled engine for a game.
    #[must_use]
    pub fn new(game: &GameInfo, bundled: Bundled) -> Self {
        let mut clock = GameClock::new(&game.limits);
        let arrows = if game.limits.are_told() { Arrows::Any } else { Arrows::Clear };
        let level = level_of(game);
        let strength = level.ok().flatten().and_then(Level::new);
        let resources = Resources { memory: None, threads: game.limits.threads.get() };
        let adjust = |config| EngineConfig { arrows, level: strength, seed: game.seed, ..config };
        let engine = clock.charge(|| bundled.engine(Arc::clone(&game.board), resources, adjust)).ok();
        let nodes = game.option("nodes").unwrap_or(u64::MAX);
        Self { bundled, engine, clock, nodes, rng: game.rng(), opinion: None, level }
    }

    /// Returns the player's name in this game.
    #[must_use]
    pub fn name(&self) -> &'static CStr {
        self.bundled.name_at(self.level.ok().flatten())
    }

    /// Returns what the last search found; `None` after a move drawn at random.
    pub fn opinion(&self) -> Option<Opinion> {
        self.opinion.clone()
    }

    /// Chooses a move; draws one at random if there is no search or no time, and resigns if the option `level` is wrong.
    pub fn play(&mut self, position: &Position) -> Option<Move> {
        self.opinion = None;
        if self.level.is_err() {
            return None;
        }
        match (&mut self.engine, self.clock.start_move(position)) {
            (Some(engine), Some(mut clock)) => {
                let nodes = self.nodes;
                let mut choice = self.bundled.choice(position);
                let mut budget = |progress: &Progress| {
                    let is_settled = choice.as_mut().is_some_and(|choice| {
                        let times = clock.share(|used| choice.share(progress, used));
                        times.is_some_and(|times| choice.is_settled(progress, times))
                    });
                    progress.nodes >= nodes || is_settled || clock.is_over()
                };
                let result = engine.search(position, &mut budget)?;
                self.opinion = Some(opinion(&result, position));
                Some(result.mv)
            }
            _ => position.random_move(&mut self.rng),
        }
    }
}

/// Reads the option `level`; prints what is wrong with it.
fn level_of(game: &GameInfo) -> Result<Option<u32>, ()> {
    let Some(given) = game.option::<String>("level") else { return Ok(None) };
    match given.parse().ok().filter(|&number| Level::new(number).is_some()) {
        Some(number) => Ok(Some(number)),
        None => {
            eprintln!("option level: expected a level from 1 to {}, found '{given}': it resigns", Level::COUNT);
            Err(())
        }
    }
}

/// Returns the chance that a search found, as a value, with its size; for a search without a time limit, the same in
/// every game.
fn opinion(result: &SearchResult, position: &Position) -> Opinion {
    let proven = result.proof.map_or("", |_| ", proven");
    let value = 2.0 * f64::from(chance(result.value, result.proof, position)) - 1.0;
    Opinion { value, text: format!("depth {}, {} nodes{proven}", result.depth, result.nodes) }
}

impl fmt::Debug for EnginePlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EnginePlayer").field("clock", &self.clock).finish_non_exhaustive()
    }
}

/// Exports a bundled engine as a player, with a mark for [`Bundled::find`].
#[macro_export]
macro_rules! export_bundled {
    ($bundled:expr) => {
        struct BundledPlayer($crate::EnginePlayer);

        impl $crate::player::Player for BundledPlayer {
            const NAME: &'static ::std::ffi::CStr = $bundled.name();

            fn new(game: &$crate::player::GameInfo) -> Self {
                Self($crate::EnginePlayer::new(game, $bundled))
            }

            fn name(&self) -> &'static ::std::ffi::CStr {
                self.0.name()
            }

            fn play(&mut self, position: &$crate::player::rules::Position) -> Option<$crate::player::rules::Move> {
                self.0.play(position)
            }

            fn opinion(&self) -> Option<$crate::player::Opinion> {
                self.0.opinion()
            }
        }

        #[unsafe(no_mangle)]
        static AMAZONS_BUNDLED: [u8; $crate::MARK_LEN] = $bundled.mark();

        $crate::player::export_player!(BundledPlayer);
    };
}
