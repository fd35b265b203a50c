//! `cluedo join`: a person at a server's table, at the terminal or in a browser.

mod terminal;
mod web;

use std::io::Write;

use amazons_program::Exit;
use clap::Args;
use cluedo::line::message::Fault;

use crate::client::{check_login, connect};

#[derive(Debug, Args)]
pub(crate) struct JoinArgs {
    /// The server's port
    #[arg(value_name = "PORT")]
    server: String,
    /// The server's address
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Your name at the table
    #[arg(long, default_value = "person")]
    login: String,
    /// Play in a browser, at an address of this machine that is printed
    #[arg(long)]
    web: bool,
    /// The port of the page of --web [default: any free one]
    #[arg(long, value_name = "PORT", requires = "web")]
    port: Option<u16>,
    /// Open the page of --web in a browser
    #[arg(long, requires = "web")]
    open: bool,
}

pub(crate) fn run(args: &JoinArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    check_login(&args.login)?;
    if args.web {
        return web::run(args, out);
    }
    let stream = connect(&args.host, &args.server)?;
    terminal::run(&stream, &args.login, out)
}

/// Returns in words what an error means; `was_asked` says whether the server waited for this person.
fn fault_text(code: u32, was_asked: bool) -> String {
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
const fn farewell(has_played: bool, is_playing: bool) -> Option<&'static str> {
    match (has_played, is_playing) {
        (true, false) => None,
        (true, true) => Some("The server left in the middle of the game."),
        (false, _) => Some("The server left before the first game; are all seats taken?"),
    }
}
