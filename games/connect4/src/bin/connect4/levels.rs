use std::io;
use std::sync::Arc;
use std::time::Instant;

use amazons_program::Exit;
use amazons_program::ranks::Setup;
use connect4::perfect::frontier::{ALONE, Frontier};
use connect4::perfect::{Solver, Solvers};
use connect4::{BookChoice, Chosen, Level, LevelPlayer, Position, Size};
use rand::SeedableRng as _;
use rand::seq::IteratorRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::player::{Player, Thought};
use crate::progress;
use crate::ranks::{Engine, SOLVER_BYTES, compute, exit};

/// With more free cells and no book for them, `perfect` thinks for seconds or longer.
const LONG_LEFT: u32 = 34;

/// Makes the player of a level; random choices follow from the seed.
pub(crate) fn player(level: Level, seed: u64, perfect: &PerfectSettings) -> Box<dyn Player> {
    match level {
        Level::Random => Box::new(Random(Xoshiro256PlusPlus::seed_from_u64(seed))),
        Level::Average(depth) => Box::new(Average { depth }),
        Level::Perfect => Box::new(Perfect { settings: perfect.clone(), player: None, own: None, has_warned: false }),
        Level::AlphaBeta(_) | Level::Mcts(_) => Box::new(OneThread { level, seed, player: None }),
    }
}

/// Any free column.
struct Random(Xoshiro256PlusPlus);

impl Player for Random {
    fn choose(&mut self, position: &Position, _: &mut Engine<'_, '_>) -> Result<Thought, Exit> {
        let start = Instant::now();
        let column = position.columns().choose(&mut self.0).expect("the game goes on");
        Ok(Thought { column, score: None, is_proven: false, nodes: 0, time: start.elapsed() })
    }
}

/// Returns how the program ends without room for tables.
pub(crate) fn no_room(error: io::Error) -> Exit {
    Exit::Failure(format!("no room for tables: {error}"))
}

/// A level on one thread.
struct OneThread {
    level: Level,
    seed: u64,
    /// Made for the first position, whose size it needs.
    player: Option<LevelPlayer>,
}

impl Player for OneThread {
    fn choose(&mut self, position: &Position, engine: &mut Engine<'_, '_>) -> Result<Thought, Exit> {
        let start = Instant::now();
        if self.player.is_none() {
            self.player = Some(LevelPlayer::new(self.level, position.size(), self.seed).map_err(no_room)?);
        }
        let player = self.player.as_mut().ok_or_else(|| Exit::failure("no player"))?;
        think(player, position, engine, start)
    }
}

/// Chooses a column while the ranks stay in touch.
fn think(
    player: &mut LevelPlayer,
    position: &Position,
    engine: &mut Engine<'_, '_>,
    start: Instant,
) -> Result<Thought, Exit> {
    let chosen = compute(engine, |stop| player.choose_unless(position, stop))?;
    let Chosen { column, value, is_proven, score, nodes } = chosen.ok_or_else(|| Exit::failure("no column is left"))?;
    Ok(Thought { column, score: score.map(f64::from).or(value), is_proven, nodes, time: start.elapsed() })
}

/// What `perfect` plays with.
#[derive(Clone, Debug)]
pub(crate) struct PerfectSettings {
    pub(crate) book: BookChoice,
    /// Those of all ranks.
    pub(crate) solvers: Arc<Solvers>,
    pub(crate) setup: Setup,
}

/// Always a column with the best score.
struct Perfect {
    settings: PerfectSettings,
    /// Made for the first position, whose size it needs.
    player: Option<LevelPlayer>,
    /// What rank 0 solves alone with before it asks the others.
    own: Option<Solver>,
    has_warned: bool,
}

impl Player for Perfect {
    fn choose(&mut self, position: &Position, engine: &mut Engine<'_, '_>) -> Result<Thought, Exit> {
        let size = position.size();
        let is_long = !self.has_book_for(position) && size.cells() - position.plies() > LONG_LEFT;
        if !is_long {
            return self.think(position, engine);
        }
        if !self.has_warned {
            let time = if size == Size::STANDARD { "a minute or two" } else { "minutes, on a large board hours" };
            eprintln!("connect4: perfect may think for {time} at its first moves: --book FILE names an opening book");
            self.has_warned = true;
        }
        let spinner = progress::spinner("perfect is thinking");
        let thought = self.think(position, engine);
        spinner.finish_and_clear();
        thought
    }
}

impl Perfect {
    fn has_book_for(&self, position: &Position) -> bool {
        self.settings.book.book_for(position).is_some()
    }

    fn think(&mut self, position: &Position, engine: &mut Engine<'_, '_>) -> Result<Thought, Exit> {
        let start = Instant::now();
        // A book leaves little to share.
        if self.settings.setup.ranks > 1 && !self.has_book_for(position) {
            return self.think_on_ranks(position, engine, start);
        }
        if self.player.is_none() {
            let solver = Solver::new(position.size(), SOLVER_BYTES, self.settings.setup.threads).map_err(no_room)?;
            self.player = Some(LevelPlayer::perfect(solver.with_book(self.settings.book.clone())));
        }
        let player = self.player.as_mut().ok_or_else(|| Exit::failure("no player"))?;
        think(player, position, engine, start)
    }

    /// Chooses the same column with all ranks.
    fn think_on_ranks(
        &mut self,
        position: &Position,
        engine: &mut Engine<'_, '_>,
        start: Instant,
    ) -> Result<Thought, Exit> {
        let PerfectSettings { solvers, setup, .. } = &self.settings;
        let own = match &mut self.own {
            Some(own) => own,
            none => none.insert(solvers.small(position.size()).map_err(no_room)?),
        };
        let note = |line: &str| eprintln!("connect4: {line}");
        let frontier = Frontier::new(engine.dispatcher(), setup.ranks * setup.threads);
        let mut frontier = frontier.trying_alone(own, ALONE).with_notes(&note);
        let best = frontier.best(position, &|| setup.interrupt.is_set()).map_err(Exit::Failure)?;
        let ((column, score), nodes) = (best.ok_or(Exit::Stopped)?, frontier.nodes());
        Ok(Thought { column, score: Some(f64::from(score)), is_proven: true, nodes, time: start.elapsed() })
    }
}

/// The averaged search on all ranks.
struct Average {
    depth: u32,
}

impl Player for Average {
    fn choose(&mut self, position: &Position, engine: &mut Engine<'_, '_>) -> Result<Thought, Exit> {
        let start = Instant::now();
        let chosen = engine.choose(position, self.depth).map_err(exit)?;
        let value = chosen.value();
        Ok(Thought {
            column: chosen.column,
            score: Some(value.score()),
            is_proven: value.is_proven(),
            nodes: chosen.calls,
            time: start.elapsed(),
        })
    }
}
