use std::sync::Arc;

use amazons_rules::Position;
use amazons_sandbox::ProgramConfig;
use sprs::{CsMatI, CsMatViewI};

use super::GameConfig;
use crate::bridge::{self, ProgramCommand};
use crate::host::{HostError, Launcher, Limits, Printed, SeatConfig, thread_variables};
use crate::human::{HumanSeat, RenewableSeat, WebSession};
use crate::participant::ParticipantKind;
use crate::referee::{MatchRules, PlayerNumber, Seat};

/// Shared by a watched game and its viewer.
#[derive(Clone, Debug, Default)]
pub struct Attachments {
    /// The sessions of people at browsers.
    pub sessions: [Option<Arc<WebSession>>; 2],
    /// The players' output, readable while they play.
    pub printed: [Option<Printed>; 2],
}

impl Attachments {
    /// Returns the session of a person at a browser who plays against a library or another program.
    pub fn lone_session(&self, config: &GameConfig) -> Option<&WebSession> {
        let player = PlayerNumber::ALL.into_iter().find(|&player| !config.players[player].is_person())?;
        self.sessions[player.opponent()].as_deref()
    }

    /// Makes a session for each person at a browser.
    pub fn new(config: &GameConfig) -> Self {
        let sessions = config.players.each_ref().map(|player| match player.kind() {
            ParticipantKind::Browser(limit) => Some(Arc::new(WebSession::new(&config.position, *limit))),
            _ => None,
        });
        Self { sessions, printed: [None, None] }
    }
}

/// Makes the seats of a game.
#[derive(Clone, Copy)]
pub(super) struct Seating<'a> {
    pub(super) launcher: &'a Launcher,
    pub(super) config: &'a GameConfig,
    pub(super) attachments: &'a Attachments,
}

impl Seating<'_> {
    /// Starts both players, the first to move as ABI id 0, and returns them in command line order.
    pub(super) fn seats(self) -> Result<[Box<dyn Seat>; 2], HostError> {
        let config = self.config;
        let order = [config.rules.first, config.rules.first.opponent()];
        let [first, second] = if config.players.iter().all(|player| player.library().is_some()) {
            let graph = self.matrix(order[0]);
            let other = (config.directions[0] != config.directions[1]).then(|| self.matrix(order[1]));
            let first = self.library(order[0], graph.view());
            let second = self.library(order[1], other.as_ref().unwrap_or(&graph).view());
            self.launcher.seats([&first, &second])?
        } else {
            let [first, second] = order.map(|player| self.guest(player));
            [first?, second?]
        };
        Ok(if config.rules.first == PlayerNumber::One { [first, second] } else { [second, first] })
    }

    /// Returns the graph for a player.
    fn matrix(self, player: PlayerNumber) -> CsMatI<u32, i32> {
        self.config.position.matrix_without_arrows(self.config.directions[player])
    }

    fn library<'b>(&'b self, player: PlayerNumber, matrix: CsMatViewI<'b, u32, i32>) -> SeatConfig<'b> {
        let config = self.config;
        let first_color = config.position.side_to_move();
        let queens = [first_color, first_color.opposite()].map(|color| config.position.queens(color));
        SeatConfig {
            limits: config.limits_of(player).clone(),
            environment: config.own[player].environment.clone(),
            seed: self.seed(player),
            sandbox: config.sandbox,
            allow_read: config.allow_read.clone(),
            printed: self.attachments.printed[player].clone(),
            ..SeatConfig::new(config.players[player].file(), u32::from(player != config.rules.first), matrix, queens)
        }
    }

    /// Returns a player's seed: two copies of one player would otherwise draw the same numbers.
    fn seed(self, player: PlayerNumber) -> u64 {
        self.config.seed.wrapping_mul(2).wrapping_add(u64::from(player != self.config.rules.first))
    }

    /// Makes a seat of a game not only between libraries: against a person, moves can be taken back.
    fn guest(self, player: PlayerNumber) -> Result<Box<dyn Seat>, HostError> {
        let seat = self.seat(player)?;
        let is_person = |player: PlayerNumber| self.config.players[player].is_person();
        if is_person(player) || !is_person(player.opponent()) {
            return Ok(seat);
        }
        let (launcher, config, attachments) = (self.launcher.clone(), self.config.clone(), self.attachments.clone());
        let start = move |position: &Position| {
            let rules = MatchRules { first: player, ..config.rules };
            let config = GameConfig { position: position.clone(), rules, ..config.clone() };
            Seating { launcher: &launcher, config: &config, attachments: &attachments }.seat(player)
        };
        Ok(Box::new(RenewableSeat::new(seat, Box::new(start))))
    }

    fn seat(self, player: PlayerNumber) -> Result<Box<dyn Seat>, HostError> {
        let config = self.config;
        match config.players[player].kind() {
            ParticipantKind::Library => self.launcher.seat(&self.library(player, self.matrix(player).view())),
            ParticipantKind::Human(limit) => Ok(Box::new(HumanSeat::at_terminal(player, &config.position, *limit))),
            ParticipantKind::Browser(_) => {
                let missing = || HostError::Guest("a person at a browser has no session".to_owned());
                let session = self.attachments.sessions[player].as_ref().ok_or_else(missing)?;
                Ok(Box::new(HumanSeat::at_browser(&config.position, Arc::clone(session))))
            }
            ParticipantKind::Program(protocol, _) => {
                let missing =
                    || HostError::Guest("another program needs its command and --isolation process".to_owned());
                let parent = self.launcher.parent().ok_or_else(missing)?;
                let command = config.programs[player].as_ref().ok_or_else(missing)?;
                let limits = config.limits_of(player);
                let mut program = ProgramConfig {
                    printed: self.attachments.printed[player].clone(),
                    ..program_config(config, command, limits, self.seed(player))
                };
                let own = &config.own[player].environment;
                program.environment.extend(own.iter().map(|(name, value)| format!("{name}={value}").into()));
                bridge::seat(
                    parent,
                    *protocol,
                    program,
                    limits,
                    &config.position,
                    config.own[player].options.as_deref(),
                )
            }
        }
    }
}

/// Describes a program's process in such a game.
pub(crate) fn program_config(
    config: &GameConfig,
    command: &ProgramCommand,
    limits: &Limits,
    seed: u64,
) -> ProgramConfig {
    let own = [("AMAZONS_THREADS", limits.threads.to_string()), ("AMAZONS_SEED", seed.to_string())];
    let own = own.map(|(name, value)| (name.to_owned(), value));
    let environment = thread_variables(limits.threads).chain(own);
    ProgramConfig {
        arguments: command.words.clone(),
        environment: environment.map(|(name, value)| format!("{name}={value}").into()).collect(),
        memory: limits.memory,
        log: limits.log,
        sandbox: config.sandbox,
        readable: config.allow_read.iter().chain(&command.folders).cloned().collect(),
        ..ProgramConfig::new(&command.program)
    }
}
