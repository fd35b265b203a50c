//! `cluedo join`: a person at a server's table.

use std::io::{self, BufRead, BufReader, Write};

use amazons_program::Exit;
use clap::Args;
use cluedo::bots::describe::{Detail, KINDS, describe};
use cluedo::line::deal::PLAYERS;
use cluedo::line::message::{Answer, Line};
use cluedo::line::seat::{Request, Seat};
use cluedo::pack::CardSet;

use crate::bot::{check_login, connect};

#[derive(Debug, Args)]
pub(crate) struct JoinArgs {
    /// The server's port
    port: String,
    /// The server's address
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Your name at the table
    #[arg(long, default_value = "person")]
    login: String,
}

const HELP: &str =
    "H 0 5 9: ask for three cards, one of each type   A 0 5 9: accuse   notebook: what follows from what you
saw   hint: chances too   quit";

pub(crate) fn run(args: &JoinArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    check_login(&args.login)?;
    let stream = connect(&args.host, &args.port)?;
    let left = |error: io::Error| Exit::failure(format!("the server has gone: {error}"));
    (&stream).write_all(format!("B {}\n", args.login).as_bytes()).map_err(left)?;
    let mut seat: Option<Seat> = None;
    let mut is_playing = false;
    for line in BufReader::new(&stream).split(b'\n') {
        let bytes = line.map_err(left)?;
        let Some(line) = Line::parse(bytes.trim_ascii()) else { continue };
        if let Line::Welcome { seat: number, players } = line {
            if !PLAYERS.contains(&players) || number >= players {
                return Err(Exit::usage("the server's first line makes no sense: 2 to 10 can play"));
            }
            seat = Some(Seat::new(number, players));
            writeln!(out, "You have seat {number} of {players}; the game begins when all are there.")?;
            continue;
        }
        let Some(seat) = &mut seat else { continue };
        is_playing = match line {
            Line::Hand(_) => true,
            Line::Won(_) | Line::Error(_) => false,
            _ => is_playing,
        };
        tell(line, seat, out)?;
        let Some(request) = seat.hear(line) else { continue };
        let Some(answer) = ask(request, seat, out)? else { return Ok(Exit::Success) };
        seat.says(&answer);
        (&stream).write_all(format!("{answer}\n").as_bytes()).map_err(left)?;
    }
    Ok(if is_playing { Exit::Partly } else { Exit::Success })
}

/// Prints what a line means.
fn tell(line: Line, seat: &Seat, out: &mut impl Write) -> Result<(), Exit> {
    let pack = seat.facts.pack;
    match line {
        Line::Hand(hand) => {
            let types: Vec<String> = (0..3).map(|kind| format!("{} {}", KINDS[kind], pack.of_kind(kind))).collect();
            writeln!(out, "A new game ({}). Your hand: {hand}", types.join("; "))?;
        }
        Line::Hypothesis([a, b, c]) => writeln!(out, "Somebody asks for {a} {b} {c}.")?,
        Line::Pass(player) => writeln!(out, "  seat {player} has none.")?,
        Line::Shown(player) if player == seat.me() => writeln!(out, "  you showed a card.")?,
        Line::Shown(player) => writeln!(out, "  seat {player} showed a card.")?,
        Line::ShownToYou(player, card) => writeln!(out, "  seat {player} shows you {card}.")?,
        Line::Nobody => writeln!(out, "  nobody showed a card.")?,
        Line::Won(player) if player == seat.me() => writeln!(out, "You have won.")?,
        Line::Won(player) => writeln!(out, "Seat {player} has won.")?,
        Line::Error(301) => writeln!(out, "The game ends without a winner.")?,
        Line::Error(code) => writeln!(out, "Error {code}: the game is void.")?,
        Line::Welcome { .. } | Line::Turn | Line::Ask => {}
    }
    out.flush()?;
    Ok(())
}

/// Asks the person until the answer is legal; nothing at the end of input.
fn ask(request: Request, seat: &Seat, out: &mut impl Write) -> Result<Option<Answer>, Exit> {
    let cards = match request {
        Request::Show { named, .. } => named & seat.facts.hand(),
        Request::Act => CardSet::EMPTY,
    };
    if let Some(card) = cards.only() {
        writeln!(out, "  you show {card}, the only one that you have.")?;
        return Ok(Some(Answer::Show(card)));
    }
    loop {
        match request {
            Request::Act => write!(out, "Your turn (H or A and three cards, notebook, hint, ?): ")?,
            Request::Show { .. } => write!(out, "Which card do you show: {cards}? ")?,
        }
        out.flush()?;
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line);
        match read {
            Ok(0) => return Ok(None),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidData => line.clear(),
            Err(error) => return Err(Exit::failure(format!("cannot read standard input: {error}"))),
        }
        let text = line.trim();
        match text {
            "" => continue,
            "?" => writeln!(out, "{HELP}")?,
            "quit" => return Ok(None),
            "notebook" => write!(out, "{}", describe(seat, Detail::Rules))?,
            "hint" => write!(out, "{}", describe(seat, Detail::Chances))?,
            _ => {
                let prefix = if request == Request::Act { "" } else { "M " };
                let typed = text.to_ascii_uppercase();
                let typed = typed.strip_prefix(prefix).unwrap_or(&typed);
                match Answer::parse(format!("{prefix}{typed}").as_bytes()) {
                    Some(Answer::Show(card)) if card < 64 && cards.contains(card) => {
                        return Ok(Some(Answer::Show(card)));
                    }
                    Some(answer @ (Answer::Hypothesis(named) | Answer::Accusation(named)))
                        if request == Request::Act && seat.facts.pack.triple(named).is_some() =>
                    {
                        return Ok(Some(answer));
                    }
                    _ if request == Request::Act => {
                        writeln!(out, "Write H or A and one card of each type; ? for help.")?;
                    }
                    _ => writeln!(out, "Write one of {cards}.")?,
                }
            }
        }
    }
}
