//! From a game's configuration to what the referee needs: seats and a start event.

use std::sync::Arc;
use std::time::Duration;

use amazons_rules::{Color, Position};
use sprs::{CsMatI, CsMatViewI};
use thiserror::Error;

use crate::bridge::{self, BridgeConfig, Seated};
use crate::config::GameConfig;
use crate::host::{Clock, HostError, Launcher, Pondering, SeatConfig};
use crate::human::{BrowserSeat, HumanSeat, RenewableSeat};
use crate::record::FORMAT;
use crate::referee::{
    BoardEvent, GameError, LimitsEvent, Match, Observer, Outcome, PlayerEvent, PlayerNumber, QueensEvent, Seat,
    StartEvent, play_game,
};
use crate::text::error_chain;

/// Says why a game could not be played and reported.
#[derive(Debug, Error)]
pub enum FixtureError {
    /// The players could not be started, twice.
    #[error("cannot start the players")]
    Start(#[from] HostError),
    /// Who watches the game cannot go on.
    #[error(transparent)]
    Report(#[from] GameError),
}

/// A game that was played, and the seats that it was played from, for their logs.
#[derive(Debug)]
pub struct Played {
    /// How it ended.
    pub outcome: Outcome,
    /// Players 1 and 2.
    pub seats: [Box<dyn Seat>; 2],
}

/// Plays a game; one that is void for a reason that may pass is played once more, with a new launcher.
///
/// `again` is told why, between the two.
///
/// # Errors
/// When the players cannot be started or an observer cannot take an event.
pub fn play(
    launcher: &mut Launcher,
    config: &GameConfig,
    start: &StartEvent,
    observers: &mut [&mut dyn Observer],
    mut again: impl FnMut(&str) -> Result<(), GameError>,
) -> Result<Played, FixtureError> {
    let game = Match { position: config.position.clone(), start: start.clone() };
    let mut attempt = |launcher: &Launcher| -> Result<Played, FixtureError> {
        let mut seats = seats(launcher, config)?;
        let [one, two] = &mut seats;
        let outcome = play_game(&game, [one.as_mut(), two.as_mut()], observers)?;
        Ok(Played { outcome, seats })
    };
    let reason = match attempt(launcher) {
        Ok(Played { outcome: Outcome { void: Some(reason), is_worth_repeating: true, .. }, .. }) => reason,
        Err(FixtureError::Start(error)) => error_chain(&error),
        played => return played,
    };
    again(&reason)?;
    *launcher = Launcher::new(config.isolation)?;
    attempt(launcher)
}

/// Describes a game before it is played; the players' names, hashes and logs are not known yet.
pub fn start_event(config: &GameConfig) -> StartEvent {
    let first_color = config.position.side_to_move();
    let player = |number: PlayerNumber| PlayerEvent {
        name: None,
        file: Some(config.players[number].display().to_string()),
        sha256: None,
        log: None,
        color: color_of(number, config.first, first_color).to_string(),
        directions: Seated::is_library(&config.players[number]).then(|| config.directions[number].name().to_owned()),
    };
    let limits = &config.limits;
    StartEvent {
        format: FORMAT,
        server: concat!("amazons ", env!("CARGO_PKG_VERSION")).to_owned(),
        seed: Some(config.seed),
        board: BoardEvent::new(config.position.board()),
        queens: QueensEvent::new(&config.position),
        position: config.position.to_string(),
        players: PlayerNumber::ALL.map(player),
        first: config.first,
        limits: Some(LimitsEvent {
            load_ms: millis(limits.load),
            initialize_ms: millis(limits.initialize),
            move_ms: millis(limits.play),
            finalize_ms: millis(limits.finalize),
            clock: match limits.clock {
                Clock::Cpu => "cpu".to_owned(),
                Clock::Wall => "wall".to_owned(),
            },
            game_ms: limits.game.map(|game| millis(game.bank)),
            increment_ms: limits.game.map_or(0, |game| millis(game.increment)),
            pondering: match limits.pondering {
                Pondering::Charged => "charged".to_owned(),
                Pondering::Frozen => "frozen".to_owned(),
            },
            threads: limits.threads.get(),
            memory_bytes: limits.memory,
            log_bytes: limits.log,
            max_moves: config.max_moves,
        }),
        isolation: Some(config.isolation.to_string()),
        sandbox: None,
        source: None,
    }
}

fn color_of(player: PlayerNumber, first: PlayerNumber, first_color: Color) -> Color {
    if player == first { first_color } else { first_color.opposite() }
}

/// Starts both players, the one that moves first as number 0 of the ABI, and returns them in the order of the command line.
fn seats(launcher: &Launcher, config: &GameConfig) -> Result<[Box<dyn Seat>; 2], HostError> {
    let order = [config.first, config.first.opponent()];
    let [first, second] = if config.players.iter().all(|player| Seated::is_library(player)) {
        let [first, second] = order.map(|player| matrix(config, player));
        let [first, second] = [(order[0], &first), (order[1], &second)]
            .map(|(player, matrix)| seat_config(config, player, matrix.view()));
        launcher.seats([&first, &second])?
    } else {
        let [first, second] = order.map(|player| guest(launcher, config, player));
        [first?, second?]
    };
    Ok(if config.first == PlayerNumber::One { [first, second] } else { [second, first] })
}

/// The graph as a player sees it.
fn matrix(config: &GameConfig, player: PlayerNumber) -> CsMatI<u32, i32> {
    config.position.matrix_without_arrows(config.directions[player])
}

fn seat_config<'a>(config: &'a GameConfig, player: PlayerNumber, matrix: CsMatViewI<'a, u32, i32>) -> SeatConfig<'a> {
    let position = &config.position;
    let first_color = position.side_to_move();
    let queens = [position.queens(first_color), position.queens(first_color.opposite())];
    SeatConfig {
        limits: config.limits.clone(),
        seed: seed_of(config, player),
        sandbox: config.sandbox,
        allow_read: config.allow_read.clone(),
        printed: config.printed[player].clone(),
        ..SeatConfig::new(&config.players[player], u32::from(player != config.first), matrix, queens)
    }
}

/// Two copies of one player would otherwise draw the same numbers.
fn seed_of(config: &GameConfig, player: PlayerNumber) -> u64 {
    config.seed.wrapping_mul(2).wrapping_add(u64::from(player != config.first))
}

/// Gives a seat to whoever it is, in a game that not only libraries play: with a person at the table, moves can be
/// taken back.
fn guest(launcher: &Launcher, config: &GameConfig, player: PlayerNumber) -> Result<Box<dyn Seat>, HostError> {
    let seat = seat_of(launcher, config, player)?;
    let is_person = |player: PlayerNumber| Seated::is_person(&config.players[player]);
    if is_person(player) || !is_person(player.opponent()) {
        return Ok(seat);
    }
    let (launcher, config) = (launcher.clone(), config.clone());
    let start = move |position: &Position| {
        let config = GameConfig { position: position.clone(), first: player, ..config.clone() };
        seat_of(&launcher, &config, player)
    };
    Ok(Box::new(RenewableSeat::new(seat, Box::new(start))))
}

/// Gives a seat to whoever it is.
fn seat_of(launcher: &Launcher, config: &GameConfig, player: PlayerNumber) -> Result<Box<dyn Seat>, HostError> {
    match Seated::read(&config.players[player]).map_err(|error| HostError::Guest(error.to_string()))? {
        Seated::Library => launcher.seat(&seat_config(config, player, matrix(config, player).view())),
        Seated::Human(limit) => Ok(Box::new(HumanSeat::new(player, &config.position, limit))),
        Seated::Browser(_) => {
            let missing = || HostError::Guest("a person at a browser has no table".to_owned());
            let table = config.tables[player].as_ref().ok_or_else(missing)?;
            Ok(Box::new(BrowserSeat::new(&config.position, Arc::clone(table))))
        }
        Seated::Program(command) => {
            let bridge = BridgeConfig {
                position: config.position.clone(),
                limits: config.limits.clone(),
                seed: seed_of(config, player),
                sandbox: config.sandbox,
                allow_read: config.allow_read.clone(),
                printed: config.printed[player].clone(),
            };
            let needed = || HostError::Guest("another program needs --isolation process".to_owned());
            bridge::seat(launcher.parent().ok_or_else(needed)?, &command, bridge)
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
