//! Lines from a server, and what they mean to a person.

use std::io::{BufRead, Read as _};

use amazons_program::Exit;
use cluedo::line::deal::PLAYERS;
use cluedo::line::message::Fault;

use crate::bot::{MAX_SERVER_LINE_LEN, endless_line};

/// Reads the server's next line, without blanks around it; nothing when it has gone.
pub(super) fn read_line(server: &mut impl BufRead) -> Result<Option<Vec<u8>>, Exit> {
    let mut bytes = Vec::new();
    let read = server.take(MAX_SERVER_LINE_LEN as u64).read_until(b'\n', &mut bytes);
    if bytes.len() == MAX_SERVER_LINE_LEN {
        return Err(endless_line());
    }
    Ok(read.is_ok_and(|count| count > 0).then(|| bytes.trim_ascii().to_vec()))
}

/// Checks the seat that a server gives.
pub(super) fn check_seat(seat: usize, players: usize) -> Result<(), Exit> {
    if PLAYERS.contains(&players) && seat < players {
        return Ok(());
    }
    Err(Exit::usage("the server's first line makes no sense: 2 to 10 can play"))
}

/// Returns in words what an error means; `was_asked` says whether the server waited for this person.
pub(super) fn fault_text(code: u32, was_asked: bool) -> String {
    let why = match (Fault::of_code(code), was_asked) {
        (None, _) => "",
        (Some(Fault::Limit), _) => return "The game ends without a winner.".to_owned(),
        (Some(Fault::Hello), _) => " The login was refused, or not all players came in time.",
        (Some(Fault::NoAction | Fault::NoCard), true) => " You did not answer in time.",
        (Some(Fault::NoAction | Fault::NoCard), false) => " Another player did not answer in time, or left.",
        (Some(Fault::Action), _) => " A player named cards that make no suggestion or accusation.",
        (Some(Fault::Card), _) => " A player named a card that it could not show.",
    };
    format!("Error {code}: the game is void.{why}")
}

/// Returns how a match ended whose server has gone: in the middle of a game, after one, or before the first.
pub(super) const fn farewell(has_played: bool, is_playing: bool) -> Option<&'static str> {
    match (has_played, is_playing) {
        (true, false) => None,
        (true, true) => Some("The server left in the middle of the game."),
        (false, _) => Some("The server left before the first game; are all seats taken?"),
    }
}
