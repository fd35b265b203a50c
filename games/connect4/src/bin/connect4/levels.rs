use std::io;
use std::sync::Arc;

use amazons_program::Exit;
use amazons_program::ranks::Setup;
use connect4::perfect::frontier::{ALONE, Frontier};
use connect4::perfect::{Solver, Solvers, Stop};
use connect4::{BookChoice, Chosen, Level, LevelPlayer, Position, Size};
use rand::SeedableRng as _;
use rand::seq::IteratorRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::player::Player;
use crate::progress;
use crate::ranks::{Engine, SOLVER_BYTES, compute, exit};

/// With more free cells and no book for them, `perfect` thinks for seconds or longer.
const LONG_LEFT: u32 = 34;

pub(crate) fn player(level: Level, seed: u64, perfect: &PerfectSettings) -> Box<dyn Player> {
    match level {
        Level::Random => Box::new(Random(Xoshiro256PlusPlus::seed_from_u64(seed))),
        Level::Average(depth) => Box::new(Average { depth }),
        Level::Perfect => Box::new(Perfect { settings: perfect.clone(), solver: None, own: None, has_warned: false }),
        Level::AlphaBeta(_) | Level::Mcts(_) => Box::new(OneThread { level, seed, player: None }),
    }
}

struct Random(Xoshiro256PlusPlus);

impl Player for Random {
    fn choose(&mut self, position: &Position, _: &mut Engine<'_, '_>) -> Result<Chosen, Exit> {
        let column = position.columns().choose(&mut self.0).expect("the game goes on");
        Ok(Chosen { column, value: None, is_proven: false, score: None, nodes: 0 })
    }
}

pub(crate) fn no_room(error: io::Error) -> Exit {
    Exit::Failure(format!("no room for tables: {error}"))
}

/// Chooses a column while the ranks stay in touch.
fn think(engine: &mut Engine<'_, '_>, choose: impl FnOnce(&Stop<'_>) -> Option<Chosen> + Send) -> Result<Chosen, Exit> {
    compute(engine, choose)?.ok_or_else(|| Exit::failure("no column is left"))
}

struct OneThread {
    level: Level,
    seed: u64,
    /// Made for the first position, whose size it needs.
    player: Option<LevelPlayer>,
}

impl Player for OneThread {
    fn choose(&mut self, position: &Position, engine: &mut Engine<'_, '_>) -> Result<Chosen, Exit> {
        let player = match &mut self.player {
            Some(player) => player,
            none => none.insert(LevelPlayer::new(self.level, position.size(), self.seed).map_err(no_room)?),
        };
        think(engine, |stop| player.choose_unless(position, stop))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct PerfectSettings {
    pub(crate) book: BookChoice,
    /// Those of all ranks.
    pub(crate) solvers: Arc<Solvers>,
    pub(crate) setup: Setup,
}

struct Perfect {
    settings: PerfectSettings,
    /// Both are made for the first position that needs them, whose size they have.
    solver: Option<Solver>,
    /// Rank 0's own solver, tried before asking the others.
    own: Option<Solver>,
    has_warned: bool,
}

impl Player for Perfect {
    fn choose(&mut self, position: &Position, engine: &mut Engine<'_, '_>) -> Result<Chosen, Exit> {
        let size = position.size();
        if self.has_book_for(position) || size.cells() - position.plies() <= LONG_LEFT {
            return self.solve(position, engine);
        }
        if !self.has_warned {
            let time = if size == Size::STANDARD { "a minute or two" } else { "minutes, on a large board hours" };
            eprintln!("connect4: perfect may think for {time} at its first moves: --book FILE names an opening book");
            self.has_warned = true;
        }
        let spinner = progress::spinner("perfect is thinking");
        let chosen = self.solve(position, engine);
        spinner.finish_and_clear();
        chosen
    }
}

impl Perfect {
    fn has_book_for(&self, position: &Position) -> bool {
        self.settings.book.book_for(position).is_some()
    }

    fn solve(&mut self, position: &Position, engine: &mut Engine<'_, '_>) -> Result<Chosen, Exit> {
        let has_book = self.has_book_for(position);
        let PerfectSettings { book, solvers, setup } = &self.settings;
        // A book leaves little to share.
        if setup.ranks < 2 || has_book {
            let solver = match &mut self.solver {
                Some(solver) => solver,
                none => {
                    let solver = Solver::new(position.size(), SOLVER_BYTES, setup.threads).map_err(no_room)?;
                    none.insert(solver.with_book(book.clone()))
                }
            };
            return think(engine, |stop| Chosen::perfect(solver, position, stop));
        }
        let own = match &mut self.own {
            Some(own) => own,
            none => none.insert(solvers.small(position.size()).map_err(no_room)?),
        };
        let note = |line: &str| eprintln!("connect4: {line}");
        let frontier = Frontier::new(engine.dispatcher(), setup.ranks * setup.threads);
        let mut frontier = frontier.trying_alone(own, ALONE).with_notes(&note);
        let best = frontier.best(position, &|| setup.interrupt.is_set()).map_err(Exit::Failure)?;
        let (column, score) = best.ok_or(Exit::Stopped)?;
        Ok(Chosen::solved(column, score, frontier.nodes()))
    }
}

/// The averaged search on all ranks.
struct Average {
    depth: u32,
}

impl Player for Average {
    fn choose(&mut self, position: &Position, engine: &mut Engine<'_, '_>) -> Result<Chosen, Exit> {
        engine.choose(position, self.depth).map(Chosen::from).map_err(exit)
    }
}
