use std::sync::Arc;

use amazons_rules::Position;
use sprs::{CsMatI, CsMatViewI};

use super::GameConfig;
use crate::bridge::{self, BridgeConfig, ProgramCommand};
use crate::host::{HostError, Launcher, SeatConfig};
use crate::human::{BrowserSeat, HumanSeat, RenewableSeat};
use crate::participant::ParticipantKind;
use crate::referee::{PlayerNumber, Seat};

/// Starts both players, the one that moves first as number 0 of the ABI, and returns them in the order of the command line.
pub(super) fn seats(launcher: &Launcher, config: &GameConfig) -> Result<[Box<dyn Seat>; 2], HostError> {
    let order = [config.first, config.first.opponent()];
    let [first, second] = if config.players.iter().all(|player| player.library().is_some()) {
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
        ..SeatConfig::new(config.players[player].typed(), u32::from(player != config.first), matrix, queens)
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
    let is_person = |player: PlayerNumber| config.players[player].is_person();
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
    match config.players[player].kind() {
        ParticipantKind::Library => launcher.seat(&seat_config(config, player, matrix(config, player).view())),
        ParticipantKind::Human(limit) => Ok(Box::new(HumanSeat::new(player, &config.position, *limit))),
        ParticipantKind::Browser(_) => {
            let missing = || HostError::Guest("a person at a browser has no table".to_owned());
            let table = config.tables[player].as_ref().ok_or_else(missing)?;
            Ok(Box::new(BrowserSeat::new(&config.position, Arc::clone(table))))
        }
        ParticipantKind::Program(protocol, command) => {
            let command = ProgramCommand::find(command).map_err(|error| HostError::Guest(error.to_string()))?;
            let bridge = BridgeConfig {
                position: config.position.clone(),
                limits: config.limits.clone(),
                seed: seed_of(config, player),
                sandbox: config.sandbox,
                allow_read: config.allow_read.clone(),
                printed: config.printed[player].clone(),
            };
            let needed = || HostError::Guest("another program needs --isolation process".to_owned());
            bridge::seat(launcher.parent().ok_or_else(needed)?, *protocol, &command, bridge)
        }
    }
}
