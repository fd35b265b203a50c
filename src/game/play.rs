use thiserror::Error;

use super::GameConfig;
use super::seats::{Attachments, Seating};
use crate::host::{HostError, Launcher};
use crate::referee::{GameError, Match, Observer, Outcome, Seat, StartEvent, play_game};
use crate::text::error_chain;

/// The reasons why a game could not be played and reported.
#[derive(Debug, Error)]
pub enum GameFailure {
    /// The players could not be started, twice.
    #[error("cannot start the players")]
    Start(#[from] HostError),
    /// An observer of the game cannot go on.
    #[error(transparent)]
    Report(#[from] GameError),
}

/// A finished game, and its seats for their logs.
#[derive(Debug)]
pub struct PlayedGame {
    /// How it ended.
    pub outcome: Outcome,
    /// Players 1 and 2.
    pub seats: [Box<dyn Seat>; 2],
}

/// Plays a game, and plays it again with a new launcher if it is void for a reason that may pass.
///
/// `again` gets the reason in between.
pub fn play(
    launcher: &mut Launcher,
    config: &GameConfig,
    attachments: &Attachments,
    start: &StartEvent,
    observers: &mut [&mut dyn Observer],
    mut again: impl FnMut(&str) -> Result<(), GameError>,
) -> Result<PlayedGame, GameFailure> {
    let game = Match { position: config.position.clone(), start: start.clone() };
    let mut attempt = |launcher: &Launcher| -> Result<PlayedGame, GameFailure> {
        let mut seats = Seating { launcher, config, attachments }.seats()?;
        let [one, two] = &mut seats;
        let outcome = play_game(&game, [one.as_mut(), two.as_mut()], observers)?;
        Ok(PlayedGame { outcome, seats })
    };
    let reason = match attempt(launcher) {
        Ok(PlayedGame { outcome: Outcome { void: Some(reason), is_worth_repeating: true, .. }, .. }) => reason,
        Err(GameFailure::Start(error)) => error_chain(&error),
        played => return played,
    };
    again(&reason)?;
    *launcher = Launcher::new(config.isolation)?;
    attempt(launcher)
}
