//! `cluedo join`: a person at a server's table, at the terminal or in a browser.

use std::collections::VecDeque;
use std::io::{self, BufReader, IsTerminal as _, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::{iter, thread};

use amazons_program::{Exit, Interrupt, SIGINT, Typed, read_line};
use clap::Args;
use cluedo::line::message::{Answer, Fault, Line};
use cluedo::line::seat::Request;
use cluedo::record::SeatLog;

use crate::client::{self, check_login, check_seat, connect, send};
use crate::person::{Ask, Front, Reply, Terminal, View, opening, sentence};
use crate::show::ending_text;
use crate::web::{AboutMatch, PageArgs, SeatPage, failed};

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
    #[command(flatten)]
    page: PageArgs,
}

pub(crate) fn run(args: &JoinArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    check_login(&args.login)?;
    if !args.web {
        let terminal = Terminal::new(out, false);
        let stream = connect(&args.host, &args.server)?;
        let typed = || iter::repeat_with(|| read_line(&mut io::stdin().lock()));
        let lines = move || typed().take_while(|line| !matches!(line, Typed::End));
        return play(&stream, &args.login, terminal, lines);
    }
    // A read of the server's lines would go on after Ctrl-C.
    Interrupt::end_at_once(&[SIGINT]).map_err(|error| Exit::failure(format!("cannot catch Ctrl-C: {error}")))?;
    // The page's port is looked at before a seat is taken.
    let address = args.page.address()?;
    let stream = connect(&args.host, &args.server)?;
    let place = format!("{}:{}", args.host, args.server);
    let notice = "Connected to the server.".to_owned();
    let page = SeatPage::new(0, Vec::new(), Some(AboutMatch { place, notice, ..AboutMatch::default() }))?;
    page.change(|table| table.ask(Some(Ask::Wait)));
    let (server, url) = page.serve(address)?;
    args.page.announce(out, "play at", url)?;
    let asked = Arc::clone(&page);
    let replies = move || iter::repeat_with(move || asked.await_reply());
    let exit = play(&stream, &args.login, page, replies)?;
    server.stop().map_err(failed)?;
    Ok(exit)
}

/// A line of the server, nothing when it has gone.
type FromServer = Result<Option<Vec<u8>>, Exit>;

enum Happening<W> {
    Server(FromServer),
    Word(W),
    /// The person's input has ended.
    End,
}

/// Lines of the server and words of the person, in their order.
struct Inbox<W> {
    happenings: Receiver<Happening<W>>,
    lines: VecDeque<FromServer>,
    words: VecDeque<W>,
    has_ended: bool,
}

impl<W> Inbox<W> {
    /// Waits for something; returns whether anything can still come.
    fn wait(&mut self) -> bool {
        match self.happenings.recv() {
            Ok(Happening::Server(line)) => self.lines.push_back(line),
            Ok(Happening::Word(word)) => self.words.push_back(word),
            Ok(Happening::End) => self.has_ended = true,
            Err(_) => return false,
        }
        true
    }

    /// Waits for the person's next word; nothing if the server speaks before, or the input has ended.
    fn word(&mut self) -> Option<W> {
        while self.lines.is_empty() && self.words.is_empty() && !self.has_ended && self.wait() {}
        if self.lines.is_empty() { self.words.pop_front() } else { None }
    }

    fn line(&mut self) -> FromServer {
        while self.lines.is_empty() && self.wait() {}
        self.lines.pop_front().unwrap_or(Ok(None))
    }
}

struct Seat<'s, F> {
    stream: &'s TcpStream,
    front: F,
    heard: Option<SeatLog>,
}

/// Plays until the server or the person leaves.
fn play<F: Front<Word: Send + 'static>, I: Iterator<Item = F::Word>>(
    stream: &TcpStream,
    login: &str,
    front: F,
    words: impl FnOnce() -> I + Send + 'static,
) -> Result<Exit, Exit> {
    let (sender, happenings) = channel();
    let (lines, reader) = (sender.clone(), stream.try_clone().map_err(Exit::failure)?);
    thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        loop {
            let line = client::read_line(&mut reader);
            let is_last = !matches!(line, Ok(Some(_)));
            if lines.send(Happening::Server(line)).is_err() || is_last {
                break;
            }
        }
    });
    thread::spawn(move || {
        let sent = words().try_for_each(|word| sender.send(Happening::Word(word)));
        sent.and_then(|()| sender.send(Happening::End))
    });
    let mut inbox = Inbox { happenings, lines: VecDeque::new(), words: VecDeque::new(), has_ended: false };
    // A server that has gone may have said something first.
    let _ = send(stream, &Answer::Hello(login.to_owned()));
    let exit = Seat { stream, front, heard: None }.play(&mut inbox);
    // It also ends the thread that reads; the server may have gone.
    let _ = stream.shutdown(Shutdown::Both);
    exit
}

impl<F: Front> Seat<'_, F> {
    fn play(&mut self, inbox: &mut Inbox<F::Word>) -> Result<Exit, Exit> {
        loop {
            let ask = self.question();
            if F::IS_PAGE || ask != Ask::Wait {
                if !F::IS_PAGE && io::stdin().is_terminal() && !inbox.words.is_empty() {
                    inbox.words.clear();
                    self.front.say("what you typed before this question is not taken")?;
                }
                let answer = match self.ask(ask, inbox)? {
                    Some(Reply::Suggest(cards)) => Some(Answer::Hypothesis(cards)),
                    Some(Reply::Accuse(cards)) => Some(Answer::Accusation(cards)),
                    Some(Reply::Card(card)) => Some(Answer::Show(card)),
                    Some(Reply::Leave) => return Ok(Exit::Success),
                    None if inbox.lines.is_empty() => return Ok(Exit::Success),
                    None => None,
                };
                if let Some(answer) = answer {
                    self.answer(&answer)?;
                    continue;
                }
            }
            let Some(bytes) = inbox.line()? else { break };
            if let Some(line) = Line::parse(&bytes) {
                self.hear(line)?;
            }
        }
        let exit = self.server_has_gone()?;
        if F::IS_PAGE {
            self.ask(Ask::Close, inbox)?;
        }
        Ok(exit)
    }

    fn question(&self) -> Ask {
        let heard = self.heard.as_ref().filter(|heard| heard.is_playing());
        match heard.and_then(|heard| heard.request) {
            Some(Request::Act) => Ask::Turn,
            Some(Request::Show { to, .. }) => {
                Ask::Card { asker: to, choices: heard.map(SeatLog::choices).unwrap_or_default() }
            }
            None => Ask::Wait,
        }
    }

    fn ask(&mut self, ask: Ask, inbox: &mut Inbox<F::Word>) -> Result<Option<Reply>, Exit> {
        let game = self.heard.as_ref().and_then(|heard| Some((heard, heard.story.as_ref()?)));
        let view = game.map(|(heard, story)| View { story, me: heard.seat.me() });
        self.front.ask(ask, view, &mut || inbox.word())
    }

    fn hear(&mut self, line: Line) -> Result<(), Exit> {
        if let Line::Welcome { seat, players } = line {
            check_seat(seat, players)?;
            self.heard = Some(SeatLog::new(seat, players));
            let text = format!("You have seat {seat} of {players}; the game begins when all are there.");
            return self.front.say(&text);
        }
        let before = self.heard.as_ref().and_then(|heard| heard.request);
        let Some(heard) = &mut self.heard else { return self.end(line, false) };
        heard.hear(line);
        let answer = heard.only_answer();
        if let (Line::Hand(_), Some(story)) = (line, heard.story.as_ref().filter(|_| heard.is_playing())) {
            let text = format!("Game {} begins.", story.game);
            // The end of a game is still to be read when the next one begins.
            if story.game > 1 {
                self.front.add(&text)?;
            } else {
                self.front.say(&text)?;
            }
            self.front.tell(&opening(story, heard.seat.me()), story, None)?;
        }
        self.tell()?;
        if let Some(answer) = answer {
            self.answer(&answer)?;
        }
        match line {
            Line::Won(_) | Line::Error(_) => self.end(line, before.is_some()),
            _ => Ok(()),
        }
    }

    /// Passes the events of the last line or answer on.
    fn tell(&mut self) -> Result<(), Exit> {
        let Some(heard) = &self.heard else { return Ok(()) };
        let Some(story) = &heard.story else { return Ok(()) };
        let sentence = |event| sentence(event, story, heard.seat.me());
        let text: Vec<String> = heard.seat.events.iter().filter_map(sentence).collect();
        self.front.tell(&text.join("\n"), story, heard.pending())
    }

    /// A game has ended, or it could not begin.
    fn end(&mut self, line: Line, was_asked: bool) -> Result<(), Exit> {
        let game = self.heard.as_ref().and_then(|heard| Some((heard.seat.me(), heard.story.as_ref()?)));
        let text = match (game, line) {
            (Some((me, story)), Line::Won(seat)) if seat == me => format!("Game {}: you have won.", story.game),
            (Some((_, story)), Line::Error(code)) => format!("Game {}: {}", story.game, fault_text(code, was_asked)),
            (Some((_, story)), _) => {
                let text = story.ending.map_or(String::new(), |ending| ending_text(story, ending));
                format!("Game {}: {text}", story.game)
            }
            (None, Line::Error(code)) => fault_text(code, was_asked),
            (None, _) => return Ok(()),
        };
        self.front.say(&text)
    }

    fn answer(&mut self, answer: &Answer) -> Result<(), Exit> {
        if let Some(heard) = &mut self.heard {
            if let Answer::Show(card) = answer
                && heard.choices().is_empty()
            {
                let text = "The server asks you for a card, and you have none of those: the answer is";
                self.front.say(&format!("{text} {card}."))?;
            }
            heard.says(answer);
        }
        // If the server has gone, reading ends.
        let _ = send(self.stream, answer);
        self.tell()
    }

    fn server_has_gone(&mut self) -> Result<Exit, Exit> {
        let heard = self.heard.as_ref();
        let (ended, wins) = heard.map_or((0, 0), |heard| (heard.ended, heard.wins));
        let (text, exit) = match heard.filter(|heard| heard.story.is_some()).map(SeatLog::is_playing) {
            Some(false) => ("The match is over.", Exit::Success),
            Some(true) => ("The server left in the middle of the game.", Exit::Partly),
            None => ("The server left before the first game; are all seats taken?", Exit::Partly),
        };
        let games = if ended == 1 { "1 game".to_owned() } else { format!("{ended} games") };
        let result = if ended > 0 { format!(" Of {games}, you have won {wins}.") } else { String::new() };
        self.front.add(&format!("{text}{result}"))?;
        Ok(exit)
    }
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
