//! `cluedo bot`: one of the bots joins a server.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use amazons_program::Exit;
use clap::Args;
use cluedo::bots::describe::{Detail, describe};
use cluedo::bots::play::Player;
use cluedo::bots::{Bot, Exact, ExactOptions, Kind};
use cluedo::line::deal::{PLAYERS, stream};
use cluedo::line::message::{Answer, Line, MAX_LOGIN_LEN};
use cluedo::line::seat::Seat;
use rand::TryRng;
use rand::rngs::SysRng;
use signal_hook::consts::SIGUSR1;
use signal_hook::iterator::Signals;

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

/// A bot between lines.
struct Client {
    player: Option<Player>,
    kind: Kind,
    seed: u64,
    explains: bool,
    /// Whether a game was begun and not ended.
    is_playing: bool,
    has_played: bool,
}

pub(crate) fn run(args: &BotArgs) -> Result<Exit, Exit> {
    let kind = match (args.level, args.literal, args.extended) {
        (0, false, false) => Kind::Bot0,
        (0, true, _) => Kind::Bot0Literal,
        (1, false, false) => Kind::Bot1,
        (1, true, _) => Kind::Bot1Literal,
        (2, false, false) => Kind::Bot2,
        (2, _, true) => Kind::Bot2Extended,
        (3, false, false) => Kind::Bot3,
        (4, false, false) => Kind::Bot4,
        (_, true, _) => return Err(Exit::usage("--literal: only bots 0 and 1 have it")),
        _ => return Err(Exit::usage("--extended: only bot 2 has it")),
    };
    let login = args.login.clone().unwrap_or_else(|| kind.name().to_owned());
    check_login(&login)?;
    let seed = args.seed.map_or_else(|| SysRng.try_next_u64().map_err(Exit::failure), Ok)?;
    let client = Client { player: None, kind, seed, explains: args.explain, is_playing: false, has_played: false };
    let client = Arc::new(Mutex::new(client));
    print_state_on_signal(&client)?;
    if args.port == "-" {
        talk(&client, &login, &mut io::stdin().lock(), &mut io::stdout())
    } else {
        let stream = connect(&args.host, &args.port)?;
        let mut reader = stream.try_clone().map_err(Exit::failure)?;
        talk(&client, &login, &mut reader, &mut &stream)
    }
}

/// Checks a login.
pub(crate) fn check_login(login: &str) -> Result<(), Exit> {
    if login.is_empty() || login.len() > MAX_LOGIN_LEN || !login.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Exit::usage(format!("--login {login:?}: write 1 to 32 letters, digits or signs, no blanks")));
    }
    Ok(())
}

/// How long a server that is started at the same moment may take until it listens.
const STARTING: Duration = Duration::from_secs(1);

/// Connects to a server, which may just be starting.
pub(crate) fn connect(host: &str, port: &str) -> Result<TcpStream, Exit> {
    let number: u16 = port.parse().map_err(|_| Exit::usage(format!("{port:?} is not a port: write a number, or -")))?;
    let begun = Instant::now();
    let stream = loop {
        match TcpStream::connect((host, number)) {
            Err(error) if error.kind() == ErrorKind::ConnectionRefused && begun.elapsed() < STARTING => {
                thread::sleep(Duration::from_millis(20));
            }
            connected => break connected,
        }
    };
    let stream = stream.map_err(|error| Exit::usage(format!("{host}:{number}: {error}; is the server running?")))?;
    // Answers are small and waited for. A socket that cannot do it is only slower.
    let _ = stream.set_nodelay(true);
    Ok(stream)
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

/// No server has lines as long as this.
pub(crate) const MAX_SERVER_LINE_LEN: usize = 1 << 20;

/// The complaint about a longer one.
pub(crate) fn endless_line() -> Exit {
    Exit::usage("the server sends a line of more than a megabyte: is this a Cluedo server?")
}

/// Writes to standard error, where nobody may be reading.
fn say(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Plays until the server closes the stream.
fn talk(
    client: &Arc<Mutex<Client>>,
    login: &str,
    reader: &mut impl Read,
    writer: &mut impl Write,
) -> Result<Exit, Exit> {
    let left = |client: &Arc<Mutex<Client>>| {
        let client = client.lock().unwrap_or_else(PoisonError::into_inner);
        match (client.has_played, client.is_playing) {
            (true, false) => return Exit::Success,
            (true, true) => say("cluedo: the server left in the middle of a game\n"),
            (false, _) => say("cluedo: the server left before the first game; are all seats taken?\n"),
        }
        Exit::Partly
    };
    // A server that has gone may have said something first.
    let _ = writer.write_all(format!("B {login}\n").as_bytes()).and_then(|()| writer.flush());
    let (mut bytes, mut buffer, mut answers) = (Vec::new(), [0; 4096], Vec::new());
    loop {
        let count = match reader.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        if count == 0 {
            return Ok(left(client));
        }
        bytes.extend_from_slice(&buffer[..count]);
        let Some(end) = bytes.iter().rposition(|&byte| byte == b'\n') else {
            if bytes.len() > MAX_SERVER_LINE_LEN {
                return Err(endless_line());
            }
            continue;
        };
        let mut client_now = client.lock().unwrap_or_else(PoisonError::into_inner);
        for line in bytes[..end].split(|&byte| byte == b'\n') {
            client_now.line(line.trim_ascii(), &mut answers)?;
        }
        drop(client_now);
        bytes.drain(..=end);
        if !answers.is_empty() && writer.write_all(&answers).and_then(|()| writer.flush()).is_err() {
            return Ok(left(client));
        }
        answers.clear();
    }
}

impl Client {
    /// Takes a line in; appends the answer, if the line asks for one.
    fn line(&mut self, text: &[u8], answers: &mut Vec<u8>) -> Result<(), Exit> {
        if text.is_empty() {
            return Ok(());
        }
        let Some(line) = Line::parse(text) else {
            say(&format!("unknown line: \"{}\"\n", text.escape_ascii()));
            return Ok(());
        };
        if let Line::Welcome { seat, players } = line {
            if !PLAYERS.contains(&players) || seat >= players {
                return Err(Exit::usage(format!("the server says \"{}\": 2 to 10 can play", text.escape_ascii())));
            }
            let bot: Box<dyn Bot> = match self.kind {
                Kind::Bot4 => Box::new(Exact::new(ExactOptions::default())),
                kind => kind.bot(),
            };
            let rng = stream(self.seed, 0, 0, &format!("seat {seat}"));
            self.player = Some(Player { bot, seat: Seat::new(seat, players), rng });
            return Ok(());
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
            return Ok(());
        };
        let unknown_lines = player.seat.unknown_lines;
        let answer = player.answer(line);
        if player.seat.unknown_lines > unknown_lines {
            say(&format!("a line that makes no sense now: \"{}\"\n", text.escape_ascii()));
        }
        if let Some(answer) = answer {
            if let Answer::Show(card) = answer
                && !player.seat.facts.hand().contains(card)
            {
                say(&format!("the server asks for a card, and this seat has none of those named: \"{answer}\"\n"));
            }
            answers.extend_from_slice(answer.to_string().as_bytes());
            answers.push(b'\n');
        }
        Ok(())
    }

    fn state(&self, player: &Player) -> String {
        describe(&player.seat, if self.kind == Kind::Bot4 { Detail::Chances } else { Detail::Rules })
    }
}
