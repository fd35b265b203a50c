use thiserror::Error;

use super::GameConfig;
use super::seats::{Attachments, Seating};
use crate::host::{HostError, Launcher};
use crate::referee::{Cause, GameError, Match, Observer, Outcome, Seat, StartEvent, Void, play_game};
use crate::text::error_chain;

/// Why a game could not be played and reported.
#[derive(Debug, Error)]
pub enum GameFailure {
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

/// How often a game may be void because the machine disturbed a player, before its faults count all the same.
/// A player that is just too late on a machine that is always disturbed would otherwise never lose.
const DISTURBED_MAX: u32 = 2;

/// Plays a game; one that is void for a reason that may pass is played again with a new launcher: once if the server
/// failed, and twice if the machine may have made a player late.
///
/// `again` gets the reason, before each repetition.
pub fn play(
    launcher: &mut Launcher,
    config: &GameConfig,
    attachments: &Attachments,
    start: &StartEvent,
    observers: &mut [&mut dyn Observer],
    mut again: impl FnMut(&str) -> Result<(), GameError>,
) -> Result<PlayedGame, GameFailure> {
    let mut attempt = |launcher: &Launcher, excuses: bool| -> Result<PlayedGame, GameFailure> {
        let game = Match { position: config.position.clone(), rules: config.rules, start: start.clone(), excuses };
        let mut seats = Seating { launcher, config, attachments }.seats()?;
        let [one, two] = &mut seats;
        let outcome = play_game(&game, [one.as_mut(), two.as_mut()], observers)?;
        Ok(PlayedGame { outcome, seats })
    };
    let (mut disturbed, mut has_failed) = (0, false);
    loop {
        let played = attempt(launcher, disturbed < DISTURBED_MAX);
        let reason = match &played {
            Ok(PlayedGame { outcome: Outcome { void: Some(Void { reason, cause }), .. }, .. }) => {
                match cause {
                    Cause::Disturbed => disturbed += 1,
                    Cause::Passing if !has_failed => has_failed = true,
                    Cause::Passing | Cause::Lasting => return played,
                }
                reason.clone()
            }
            Err(GameFailure::Start(error)) if !has_failed && !error.is_lasting() => {
                has_failed = true;
                error_chain(error)
            }
            _ => return played,
        };
        // The processes of its players end first.
        drop(played);
        again(&reason)?;
        *launcher = Launcher::new(config.isolation)?;
    }
}
