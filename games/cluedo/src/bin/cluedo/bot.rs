//! `cluedo bot`: one of the bots joins a server.

use std::io::{self, BufRead, BufReader, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use amazons_program::Exit;
use clap::Args;
use cluedo::bots::Kind;
use cluedo::bots::play::{SeatedBot, count, describe, seat_bot};
use cluedo::deal::stream;
use cluedo::knowledge::view::View;
use cluedo::line::message::{Answer, Line};
use rand::TryRng;
use rand::rngs::SysRng;
use signal_hook::consts::SIGUSR1;
use signal_hook::iterator::Signals;

use crate::client::{check_login, check_seat, connect, read_line, send};

#[derive(Debug, Args)]
pub(crate) struct BotArgs {
    /// Which bot: 0 accuses at once, 1 remembers, 2 concludes, 3 asks well, 4 counts every deal
    #[arg(value_parser = clap::value_parser!(u8).range(0..=4))]
    level: u8,
    /// The server's port, or - for standard input and output
    port: String,
    /// The server's address
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// The login [default: the bot's name]
    #[arg(long)]
    login: Option<String>,
    /// The seed of its choices [default: at random]
    #[arg(long)]
    seed: Option<u64>,
    /// Bots 0 and 1: play by the words of the subject, even where they are wrong
    #[arg(long, conflicts_with = "extended")]
    literal: bool,
    /// Bot 2: conclude by the further rules, too
    #[arg(long)]
    extended: bool,
    /// Print what it knows to standard error before each of its turns
    #[arg(long)]
    explain: bool,
}

struct Client {
    player: Option<SeatedBot>,
    kind: Kind,
    seed: u64,
    explains: bool,
    is_playing: bool,
    has_played: bool,
}

pub(crate) fn run(args: &BotArgs) -> Result<Exit, Exit> {
    let (suffix, whose) = match (args.literal, args.extended) {
        (true, _) => ("-literal", "--literal: only bots 0 and 1 have it"),
        (_, true) => ("-extended", "--extended: only bot 2 has it"),
        _ => ("", ""),
    };
    let kind = Kind::named(&format!("bot{}{suffix}", args.level)).ok_or_else(|| Exit::usage(whose))?;
    let login = args.login.clone().unwrap_or_else(|| kind.name().to_owned());
    check_login(&login)?;
    let seed = args.seed.map_or_else(|| SysRng.try_next_u64().map_err(Exit::failure), Ok)?;
    let client = Client { player: None, kind, seed, explains: args.explain, is_playing: false, has_played: false };
    let client = Arc::new(Mutex::new(client));
    print_state_on_signal(&client)?;
    if args.port == "-" {
        talk(&client, login, io::stdin().lock(), io::stdout())
    } else {
        let stream = connect(&args.host, &args.port)?;
        talk(&client, login, BufReader::new(&stream), &stream)
    }
}

/// A thread prints the bot's state for each SIGUSR1, between two lines of the server.
fn print_state_on_signal(client: &Arc<Mutex<Client>>) -> Result<(), Exit> {
    let mut signals = Signals::new([SIGUSR1]).map_err(Exit::failure)?;
    let client = Arc::clone(client);
    thread::spawn(move || {
        for _ in signals.forever() {
            let now = client.lock().unwrap_or_else(PoisonError::into_inner);
            let text = now.player.as_ref().map_or_else(|| "no game yet\n".to_owned(), |player| now.state(player));
            // The bot plays on even if nobody reads this.
            drop(now);
            say(&text);
        }
    });
    Ok(())
}

/// Writes to standard error, where nobody may be reading.
fn say(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Plays until the server closes the stream.
fn talk(client: &Mutex<Client>, login: String, mut reader: impl BufRead, mut writer: impl Write) -> Result<Exit, Exit> {
    let now = || client.lock().unwrap_or_else(PoisonError::into_inner);
    // A server that has gone may have said something first.
    let _ = send(&mut writer, &Answer::Hello(login));
    while let Some(line) = read_line(&mut reader)? {
        let answer = now().line(&line)?;
        if answer.is_some_and(|answer| send(&mut writer, &answer).is_err()) {
            break;
        }
    }
    Ok(now().left())
}

impl Client {
    fn left(&self) -> Exit {
        match (self.has_played, self.is_playing) {
            (true, false) => return Exit::Success,
            (true, true) => say("cluedo: the server left in the middle of a game\n"),
            (false, _) => say("cluedo: the server left before the first game; are all seats taken?\n"),
        }
        Exit::Partly
    }

    /// Takes a line in; returns the answer, if the line asks for one.
    fn line(&mut self, text: &[u8]) -> Result<Option<Answer>, Exit> {
        if text.is_empty() {
            return Ok(None);
        }
        let Some(line) = Line::parse(text) else {
            say(&format!("unknown line: \"{}\"\n", text.escape_ascii()));
            return Ok(None);
        };
        if let Line::Welcome { seat, players } = line {
            check_seat(seat, players)?;
            let rng = stream(self.seed, 0, 0, &format!("seat {seat}"));
            self.player = Some(seat_bot(self.kind, seat, players, rng));
            return Ok(None);
        }
        match line {
            Line::Hand(_) => (self.is_playing, self.has_played) = (true, true),
            Line::Error(code) if !self.has_played => {
                say(&format!("cluedo: error {code} before the first game: a wrong login, or not all players came\n"));
            }
            Line::Won(_) | Line::Error(_) => self.is_playing = false,
            Line::Turn if self.explains => {
                if let Some(player) = &self.player {
                    say(&self.state(player));
                }
            }
            _ => {}
        }
        let Some(player) = &mut self.player else {
            say(&format!("the server did not say which seat this is: \"{}\"\n", text.escape_ascii()));
            return Ok(None);
        };
        let unknown_lines = player.seat.unknown_lines;
        let answer = player.answer(line);
        if player.seat.unknown_lines > unknown_lines {
            say(&format!("a line that makes no sense now: \"{}\"\n", text.escape_ascii()));
        }
        if let Some(Answer::Show(card)) = answer
            && !player.seat.facts.hand().contains(card)
        {
            say(&format!("the server asks for a card, and this seat has none of those named: \"M {card}\"\n"));
        }
        Ok(answer)
    }

    fn state(&self, player: &SeatedBot) -> String {
        let view = View::new(&player.seat.facts);
        let counted = if self.kind == Kind::Bot4 { count(&player.seat, &view).ok() } else { None };
        describe(&player.seat, &View { counted, ..view })
    }
}
