use std::fmt;
use std::io;
use std::str::FromStr;

use amazons_program::Exit;
use amazons_program::ranks::Setup;
use connect4::perfect::frontier::{ALONE, Frontier};
use connect4::perfect::{Solver, Solvers};
use connect4::{BookChoice, Chosen, Level, LevelPlayer, Position, Size};
use rand::SeedableRng as _;
use rand::seq::IteratorRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::progress;
use crate::ranks::{Engine, SOLVER_BYTES, compute, exit};

/// With more free cells and no book for them, `perfect` thinks for seconds or longer.
const LONG_LEFT: u32 = 34;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Participant {
    /// A person at the terminal.
    Human,
    /// A person at a browser.
    Web,
    Level(Level),
}

impl FromStr for Participant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "human" => Ok(Self::Human),
            "web" => Ok(Self::Web),
            _ => text.parse().map(Self::Level),
        }
    }
}

impl fmt::Display for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.write_str("human"),
            Self::Web => f.write_str("web"),
            Self::Level(level) => level.fmt(f),
        }
    }
}

/// A level at the board, on all ranks.
pub(crate) struct Player<'a> {
    level: Level,
    seed: u64,
    random: Xoshiro256PlusPlus,
    book: BookChoice,
    solvers: &'a Solvers,
    setup: &'a Setup,
    /// On one thread, or the solver's; made for the first position, whose size it needs.
    player: Option<LevelPlayer>,
    /// Rank 0's own solver, tried before asking the others.
    small: Option<Solver>,
    has_warned: bool,
}

impl<'a> Player<'a> {
    pub(crate) fn new(level: Level, seed: u64, book: &BookChoice, solvers: &'a Solvers, setup: &'a Setup) -> Self {
        let (random, book) = (Xoshiro256PlusPlus::seed_from_u64(seed), book.clone());
        Self { level, seed, random, book, solvers, setup, player: None, small: None, has_warned: false }
    }

    /// Chooses a column of a game that goes on.
    pub(crate) fn choose(&mut self, position: &Position, engine: &mut Engine<'_, '_>) -> Result<Chosen, Exit> {
        let has_book = self.book.book_for(position).is_some();
        match self.level {
            Level::Random => {
                let column = position.columns().choose(&mut self.random).expect("the game goes on");
                Ok(Chosen { column, ..Chosen::default() })
            }
            Level::Average(depth) => {
                let choice = engine.choose(position, depth).map_err(exit)?;
                Chosen::searched(&choice).ok_or_else(no_column)
            }
            Level::Perfect if !has_book => {
                let is_long = position.size().cells() - position.plies() > LONG_LEFT;
                if is_long && !self.has_warned {
                    let is_standard = position.size() == Size::STANDARD;
                    let time = if is_standard { "a minute or two" } else { "minutes, on a large board hours" };
                    eprintln!(
                        "connect4: perfect may think for {time} at its first moves: --book FILE names an opening book"
                    );
                    self.has_warned = true;
                }
                let spinner = is_long.then(|| progress::spinner("perfect is thinking"));
                // A book leaves little to share.
                let is_shared = self.setup.ranks > 1;
                let chosen = if is_shared { self.ask(position, engine) } else { self.think(position, engine) };
                spinner.inspect(|spinner| spinner.finish_and_clear());
                chosen
            }
            Level::AlphaBeta(_) | Level::Mcts(_) | Level::Perfect => self.think(position, engine),
        }
    }

    /// Chooses a column on this rank, while the ranks stay in touch.
    fn think(&mut self, position: &Position, engine: &mut Engine<'_, '_>) -> Result<Chosen, Exit> {
        let size = position.size();
        let player = match &mut self.player {
            Some(player) => player,
            none if self.level == Level::Perfect => {
                let solver = Solver::new(size, SOLVER_BYTES, self.setup.threads).map_err(no_room)?;
                none.insert(LevelPlayer::perfect(solver.with_book(self.book.clone())))
            }
            none => none.insert(LevelPlayer::new(self.level, size, self.seed).map_err(no_room)?),
        };
        let chosen = compute(engine, |stop| player.choose_unless(position, stop))?;
        chosen.ok_or_else(no_column)
    }

    /// Lets all ranks solve a position.
    fn ask(&mut self, position: &Position, engine: &mut Engine<'_, '_>) -> Result<Chosen, Exit> {
        let small = match &mut self.small {
            Some(small) => small,
            none => none.insert(self.solvers.small(position.size()).map_err(no_room)?),
        };
        let note = |line: &str| eprintln!("connect4: {line}");
        let frontier = Frontier::new(engine.dispatcher(), self.setup.ranks * self.setup.threads);
        let mut frontier = frontier.trying_alone(small, ALONE).with_notes(&note);
        let best = frontier.best(position, &|| self.setup.interrupt.is_set()).map_err(exit)?;
        let (column, score) = best.ok_or_else(no_column)?;
        Ok(Chosen::solved(column, score, frontier.nodes))
    }
}

fn no_column() -> Exit {
    Exit::failure("no column is left")
}

pub(crate) fn no_room(error: io::Error) -> Exit {
    Exit::Failure(format!("no room for tables: {error}"))
}
