use std::num::NonZeroU32;
use std::time::Duration;

use amazons_rules::{Color, Move, Position};
use thiserror::Error;

use crate::game::GameConfig;
use crate::host::{GameTime, HostError, Isolation, Launcher, Limits, SeatConfig};
use crate::referee::{CallError, Fault, HostFailure, Opinion, PlayerNumber, Seat, Usage};
use crate::text::printable;

/// A player keeps its own clock while the client's shows at least this share of it, in percent.
const CLOCKS_AGREE: u32 = 90;

/// A player's time for its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// As the command line says.
    Default,
    /// A time for each move.
    Move(Duration),
    /// A time for all remaining moves.
    Game(GameTime),
}

/// A player's answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Its move, which is legal; `None` if it has none.
    pub mv: Option<Move>,
    /// The time it took.
    pub usage: Usage,
    /// The opinion on the position after its move.
    pub opinion: Opinion,
    /// The lines it printed.
    pub printed: Vec<String>,
}

/// The reasons why there is no answer.
#[derive(Debug, Error)]
pub enum Trouble {
    #[error("the player failed: {termination} in {call}: {detail}", termination = .0.termination, call = .0.call, detail = .0.detail)]
    Player(Fault),
    #[error("the player failed: illegal move: {0}")]
    Illegal(String),
    #[error("{0} black and {1} white queens: both sides need the same number, at least one")]
    Queens(usize, usize),
    #[error("cannot run the player: {0}")]
    Void(#[from] HostFailure),
}

impl From<HostError> for Trouble {
    fn from(error: HostError) -> Self {
        Self::Void(error.into())
    }
}

impl From<CallError> for Trouble {
    fn from(error: CallError) -> Self {
        error.fault().map_or_else(Self::Void, Self::Player)
    }
}

/// A player that is asked for moves in positions.
///
/// A player only knows its last move and the answer to it. If a position follows from these, it is the player's next
/// turn; otherwise the player restarts in a fresh process. It also restarts if its time changes, because it learns that
/// at the start.
#[derive(Debug)]
pub struct Session {
    config: GameConfig,
    launcher: Launcher,
    running: Option<Running>,
}

/// A player in the middle of a game.
#[derive(Debug)]
struct Running {
    seat: Box<dyn Seat>,
    /// The position after its last move, or its start.
    position: Position,
    has_moved: bool,
    time: Time,
    /// The time left by its own clock.
    left: Duration,
    /// The number of printed bytes already passed on.
    told: usize,
}

/// A turn of a running player.
#[derive(Clone, Copy, Debug)]
enum Turn {
    First,
    /// After this answer to its last move.
    After(Move),
}

impl Session {
    /// Gets ready to run player 1 of a configuration with its limits.
    pub const fn new(launcher: Launcher, config: GameConfig) -> Self {
        Self { config, launcher, running: None }
    }

    /// Asks the player for its name; `None` if it has none.
    pub fn name(&mut self) -> Result<Option<String>, Trouble> {
        let position = self.config.position.clone();
        let mut running = self.start(&position, Time::Default)?;
        let name = running.seat.name()?.value;
        self.running = Some(running);
        Ok(name.map(|bytes| printable(&bytes)))
    }

    /// Sets the player's number of threads.
    pub fn set_threads(&mut self, threads: NonZeroU32) {
        if threads != self.config.limits.threads {
            self.config.limits.threads = threads;
            self.end_game();
        }
    }

    /// Ends the player's process properly.
    pub fn end_game(&mut self) {
        if let Some(mut running) = self.running.take() {
            // A failure no longer matters.
            let _ = running.seat.finalize();
        }
    }

    /// Asks for a move. Fails when the player or the host fails; the next call restarts the player.
    pub fn play(&mut self, position: &Position, time: Time) -> Result<Reply, Trouble> {
        let nothing = Reply { mv: None, usage: Usage::default(), opinion: Opinion::default(), printed: Vec::new() };
        if !position.has_moves() {
            return Ok(nothing);
        }
        let turn = self.running.as_ref().and_then(|running| running.next_turn(position, time));
        let (mut running, previous) = match (self.running.take(), turn) {
            (Some(running), Some(Turn::First)) => (running, None),
            (Some(running), Some(Turn::After(mv))) => (running, Some(mv)),
            (old, _) => {
                self.running = old;
                self.end_game();
                (self.start(position, time)?, None)
            }
        };
        let answer = running.seat.play(previous)?;
        let mut after = position.clone();
        if let Err(reason) = after.try_play(answer.value) {
            let board = position.board();
            return Err(Trouble::Illegal(format!("{}: {}", board.move_text(answer.value), reason.describe(board))));
        }
        let (opinion, printed) = (running.seat.opinion(), running.printed());
        (running.position, running.has_moved, running.left) = (after, true, answer.left);
        self.running = Some(running);
        Ok(Reply { mv: Some(answer.value), usage: answer.usage, opinion, printed })
    }

    /// Starts the player on a position, and again if the host fails in a way that may pass.
    fn start(&mut self, position: &Position, time: Time) -> Result<Running, Trouble> {
        match self.start_once(position, time) {
            Err(Trouble::Void(error)) if !error.is_lasting() && !self.is_shut_down() => {
                self.launcher = Launcher::new(Isolation::Process)?;
                self.start_once(position, time)
            }
            started => started,
        }
    }

    fn is_shut_down(&self) -> bool {
        self.launcher.parent().is_some_and(|parent| parent.is_shut_down())
    }

    fn start_once(&self, position: &Position, time: Time) -> Result<Running, Trouble> {
        let [black, white] = Color::ALL.map(|color| position.queens(color).len());
        if black != white || black == 0 {
            return Err(Trouble::Queens(black, white));
        }
        let config = &self.config;
        let matrix = position.matrix_without_arrows(config.directions[PlayerNumber::One]);
        let side = position.side_to_move();
        let limits = limits(&config.limits, time);
        let left = limits.game.map_or(limits.play, |game| game.bank);
        let mut seat = self.launcher.seat(&SeatConfig {
            limits,
            environment: config.own[PlayerNumber::One].environment.clone(),
            seed: config.seed,
            sandbox: config.sandbox,
            allow_read: config.allow_read.clone(),
            ..SeatConfig::new(
                config.players[PlayerNumber::One].file(),
                0,
                matrix.view(),
                [position.queens(side), position.queens(side.opposite())],
            )
        })?;
        seat.load()?;
        seat.initialize()?;
        Ok(Running { seat, position: position.clone(), has_moved: false, time, left, told: 0 })
    }
}

impl Running {
    /// Returns the player's next turn if it is to move in this position.
    fn next_turn(&self, position: &Position, time: Time) -> Option<Turn> {
        if !self.time_goes_on(time) {
            return None;
        }
        if !self.has_moved {
            return is_same(&self.position, position).then_some(Turn::First);
        }
        let mv = self.position.move_to(position)?;
        let mut after = self.position.clone();
        after.try_play(mv).ok()?;
        is_same(&after, position).then_some(Turn::After(mv))
    }

    fn time_goes_on(&self, time: Time) -> bool {
        match (self.time, time) {
            (Time::Game(old), Time::Game(new)) => {
                old.increment == new.increment && new.bank >= self.left / 100 * CLOCKS_AGREE
            }
            (old, new) => old == new,
        }
    }

    /// Takes the lines printed since the last call.
    fn printed(&mut self) -> Vec<String> {
        let log = self.seat.log();
        let new = log.get(self.told..).unwrap_or_default();
        self.told = log.len();
        String::from_utf8_lossy(new).lines().map(|line| printable(line.as_bytes())).collect()
    }
}

fn limits(limits: &Limits, time: Time) -> Limits {
    let limits = limits.clone();
    match time {
        Time::Default => limits,
        Time::Move(play) => Limits { play, game: None, ..limits },
        Time::Game(game) => Limits { play: Limits::NO_LIMIT, game: Some(game), ..limits },
    }
}

/// Returns whether two positions look the same, with the same side to move.
fn is_same(one: &Position, other: &Position) -> bool {
    let looks = |position: &Position| position.to_string().split(' ').take(2).collect::<Vec<_>>().join(" ");
    one.board().columns() == other.board().columns() && looks(one) == looks(other)
}
