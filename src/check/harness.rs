//! Runs the checked player: single calls and whole games, each in its own process.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fmt, io};

use amazons_rules::{Color, Directions, Position, Shape};

use super::graphs::ForeignGraph;
use super::opponent::RandomMover;
use crate::game::{GameConfig, start_event};
use crate::host::{Clock, ForkServer, HostError, Limits, ProcessPlayer, SeatConfig, fork_server};
use crate::referee::{
    CallError, Cause, Event, Fault, FaultEvent, HostFailure, Match, MatchRules, MoveEvent, Observer, PlayerNumber,
    Seat, Void, play_game, separate,
};
use crate::text::telling_lines;

/// The sides that the checked player plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    First,
    Second,
    Both,
}

impl Side {
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::First => "moving first",
            Self::Second => "moving second",
            Self::Both => "against itself",
        }
    }
}

/// A game to play.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) shape: Shape,
    pub(super) size: u32,
    pub(super) position: Position,
    /// Replaces the position's own graph.
    pub(super) graph: Option<ForeignGraph>,
    pub(super) directions: Directions,
    pub(super) side: Side,
    pub(super) seed: u64,
    pub(super) max_moves: Option<u32>,
}

/// A finished game.
#[derive(Clone, Debug, Default)]
pub(super) struct CheckGame {
    /// The faults of the checked player.
    pub(super) faults: Vec<FaultEvent>,
    /// All legal moves, including the opponent's.
    pub(super) moves: Vec<MoveEvent>,
}

/// The results of single calls.
#[derive(Debug)]
pub(super) struct Visit<T> {
    pub(super) result: Result<T, Fault>,
    pub(super) log_tail: Vec<String>,
    pub(super) wall: Duration,
}

/// The costs of all processes together.
#[derive(Clone, Debug, Default)]
pub(super) struct Usage {
    /// The time of each move by the judged clock, game by game.
    pub(super) games: Vec<Vec<Duration>>,
    pub(super) peak_bytes: u64,
}

#[derive(Debug)]
pub(super) struct Harness {
    parent: Arc<ForkServer>,
    pub(super) config: GameConfig,
    /// The numbering of edges outside of games and in games without their own graph.
    pub(super) directions: Directions,
    pub(super) usage: Usage,
}

impl Harness {
    /// Prepares; the configuration has the player in both seats.
    pub(super) fn new(config: GameConfig) -> Result<Self, HostError> {
        let directions = config.directions[PlayerNumber::One];
        Ok(Self { parent: fork_server()?, config, directions, usage: Usage::default() })
    }

    pub(super) fn player(&self) -> &Path {
        self.config.players[PlayerNumber::One].file()
    }

    /// Makes single calls in a new process, and retries after a temporary failure of the host.
    ///
    /// The configuration's limits hold unless others are given.
    pub(super) fn visit<T>(
        &mut self,
        position: &Position,
        abi_id: u32,
        limits: Option<&Limits>,
        calls: impl Fn(&mut ProcessPlayer) -> Result<T, CallError>,
    ) -> anyhow::Result<Visit<T>> {
        match self.visit_once(position, abi_id, limits, &calls) {
            Err(error) if !error.is_lasting() => {
                self.parent = fork_server()?;
                Ok(self.visit_once(position, abi_id, limits, &calls)?)
            }
            visit => Ok(visit?),
        }
    }

    fn visit_once<T>(
        &mut self,
        position: &Position,
        abi_id: u32,
        limits: Option<&Limits>,
        calls: impl Fn(&mut ProcessPlayer) -> Result<T, CallError>,
    ) -> Result<Visit<T>, HostFailure> {
        let limits = limits.unwrap_or(&self.config.limits);
        let mut player = self.start(position, None, self.directions, abi_id, self.config.seed, limits)?;
        let clock = Instant::now();
        let result = separate(calls(&mut player))?;
        let wall = clock.elapsed();
        player.end()?;
        self.note_memory(&mut player);
        Ok(Visit { result, log_tail: telling_lines(&player.call_log()), wall })
    }

    /// Plays a game, and retries after a temporary failure of the host.
    pub(super) fn play(&mut self, setting: &Setting) -> anyhow::Result<CheckGame> {
        if let Ok(played) = self.play_once(setting)? {
            return Ok(played);
        }
        self.parent = fork_server()?;
        self.play_once(setting)?.map_err(void)
    }

    fn play_once(&mut self, setting: &Setting) -> anyhow::Result<Result<CheckGame, String>> {
        let &Setting { directions, side, seed, max_moves, .. } = setting;
        let position = &setting.position;
        let first = if side == Side::Second { PlayerNumber::Two } else { PlayerNumber::One };
        let rules = MatchRules { first, max_moves, ..self.config.rules };
        let config =
            GameConfig { position: position.clone(), directions: [directions; 2], seed, rules, ..self.config.clone() };
        let game = Match { position: position.clone(), rules, start: start_event(&config), excuses: false };
        let mut recorder = GameRecorder { side, played: CheckGame::default() };
        let start = |abi_id: u32| {
            // As in ordinary games, two copies of one player get different seeds.
            let seed = seed.wrapping_mul(2).wrapping_add(u64::from(abi_id));
            self.start(position, setting.graph.as_ref(), directions, abi_id, seed, &self.config.limits)
        };
        let mut player = start(u32::from(side == Side::Second))?;
        let mut second = if side == Side::Both { Some(start(1)?) } else { None };
        let mut random = RandomMover::new(position, seed);
        let opponent: &mut dyn Seat = match &mut second {
            Some(second) => second,
            None => &mut random,
        };
        let outcome =
            play_game(&game, [&mut player, opponent], &mut [&mut recorder]).expect("this recorder writes nothing");
        self.note_memory(&mut player);
        if let Some(second) = &mut second {
            self.note_memory(second);
        }
        match outcome.void {
            Some(Void { reason, cause: Cause::Lasting }) => Err(void(reason)),
            Some(Void { reason, .. }) => Ok(Err(reason)),
            None => Ok(Ok(recorder.played)),
        }
    }

    /// Returns the time of each of the player's moves, once for each side it played.
    pub(super) fn times(&self, played: &CheckGame, side: Side) -> Vec<Vec<Duration>> {
        let limits = &self.config.limits;
        let share = |micros: u64| Duration::from_micros(micros) / limits.threads.get();
        let cost = |event: &MoveEvent| {
            let call = match limits.clock {
                Clock::Cpu => share(event.cpu_us.unwrap_or_default()),
                Clock::Wall => Duration::from_micros(event.wall_us.unwrap_or_default()),
            };
            call + share(event.idle_cpu_us.unwrap_or_default())
        };
        let sides = if side == Side::Both { &PlayerNumber::ALL[..] } else { &[PlayerNumber::One] };
        let times = |&player| played.moves.iter().filter(|event| event.player == player).map(cost).collect();
        sides.iter().map(times).collect()
    }

    fn note_memory(&mut self, player: &mut ProcessPlayer) {
        let peak = player.peak_memory().unwrap_or(0);
        self.usage.peak_bytes = self.usage.peak_bytes.max(peak);
    }

    fn start(
        &self,
        position: &Position,
        graph: Option<&ForeignGraph>,
        directions: Directions,
        abi_id: u32,
        seed: u64,
        limits: &Limits,
    ) -> Result<ProcessPlayer, HostError> {
        let matrix = graph.map_or_else(|| position.matrix_without_arrows(directions), |graph| graph.matrix.clone());
        let queens = Color::ALL.map(|color| position.queens(color));
        let config = SeatConfig {
            limits: limits.clone(),
            foreign: graph.map(|graph| graph.fields),
            seed,
            environment: self.config.own[PlayerNumber::One].environment.clone(),
            sandbox: self.config.sandbox,
            allow_read: self.config.allow_read.clone(),
            ..SeatConfig::new(self.player(), abi_id, matrix.view(), queens)
        };
        ProcessPlayer::start(&self.parent, &config)
    }
}

fn void(reason: impl fmt::Display) -> anyhow::Error {
    anyhow::anyhow!("a game is void: {reason}")
}

/// Records moves and the checked player's faults.
#[derive(Debug)]
struct GameRecorder {
    side: Side,
    played: CheckGame,
}

impl Observer for GameRecorder {
    fn observe(&mut self, event: &Event, _: &Position) -> io::Result<()> {
        match event {
            Event::Move(event) => self.played.moves.push(event.clone()),
            Event::Fault(event) if self.side == Side::Both || event.player == PlayerNumber::One => {
                self.played.faults.push(event.clone());
            }
            _ => {}
        }
        Ok(())
    }
}
