//! A person in a browser.

use std::io::{BufReader, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use amazons_program::{Exit, Interrupt, SIGINT, open_browser};
use cluedo::line::message::{Answer, Line};
use cluedo::line::seat::Request;
use cluedo::record::{Ending, Heard};

use super::{JoinArgs, farewell, fault_text};
use crate::client::{check_seat, connect, read_line, send};
use crate::show::ending_text;
use crate::web::{AboutMatch, Address, Ask, Desk, Reply, Table, failed};

/// The seat, between the server and the page. Whoever changes the game locks `heard` first, then the desk's table.
struct Joined {
    stream: TcpStream,
    desk: Arc<Desk>,
    heard: Mutex<Option<Heard>>,
    has_left: AtomicBool,
}

pub(super) fn run(args: &JoinArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    // A read of the server's lines would go on after Ctrl-C.
    Interrupt::end_at_once(&[SIGINT]).map_err(|error| Exit::failure(format!("cannot catch Ctrl-C: {error}")))?;
    // The page's port is looked at before a seat is taken.
    let address = Address::new(args.port.unwrap_or(0), "--port")?;
    let stream = connect(&args.host, &args.server)?;
    let place = format!("{}:{}", args.host, args.server);
    let notice = "Connected to the server.".to_owned();
    let desk = Desk::new(0, Vec::new(), Some(AboutMatch { place, notice, ..AboutMatch::default() }))?;
    desk.change(|table| table.ask(Some(Ask::Wait)));
    let (server, url) = desk.serve(address)?;
    writeln!(out, "play at {url} (Ctrl-C ends)")?;
    out.flush()?;
    if args.open {
        open_browser("cluedo", url);
    }
    let joined = Arc::new(Joined { stream, desk, heard: Mutex::new(None), has_left: AtomicBool::new(false) });
    // A server that has gone may have said something first.
    let _ = send(&joined.stream, &Answer::Hello(args.login.clone()));
    let person = Arc::clone(&joined);
    let person = thread::Builder::new().name("person".to_owned()).spawn(move || person.take_replies());
    let person = person.map_err(Exit::failure)?;
    let mut reader = BufReader::new(&joined.stream);
    while let Some(bytes) = read_line(&mut reader)? {
        if let Some(line) = Line::parse(&bytes) {
            joined.hear(line)?;
        }
    }
    let exit = joined.server_has_gone();
    // It ends when the person has closed the page.
    person.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    server.stop().map_err(failed)?;
    Ok(exit)
}

impl Joined {
    fn heard(&self) -> MutexGuard<'_, Option<Heard>> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a line of the server in.
    fn hear(&self, line: Line) -> Result<(), Exit> {
        let mut heard = self.heard();
        if let Line::Welcome { seat, players } = line {
            check_seat(seat, players)?;
            *heard = Some(Heard::new(seat, players));
            self.desk.change(|table| {
                table.me = seat;
                say(table, format!("You have seat {seat} of {players}; the game begins when all are there."));
            });
            return Ok(());
        }
        let Some(heard) = heard.as_mut() else {
            if let Line::Error(code) = line {
                self.desk.change(|table| say(table, fault_text(code, false)));
            }
            return Ok(());
        };
        let before = heard.request();
        heard.hear(line);
        let answer = heard.only_answer();
        if let Some(answer) = &answer {
            heard.says(answer);
            // If the server has gone, reading ends.
            let _ = send(&self.stream, answer);
        }
        let notice = match line {
            Line::Hand(_) if heard.is_playing() => heard.story().map(|story| format!("Game {} begins.", story.game)),
            Line::Won(_) | Line::Error(_) => Some(ending_notice(heard, line, before.is_some())),
            _ => None,
        };
        let is_asked_already = heard.request().is_some() && heard.request() == before;
        self.desk.change(|table| {
            if let Some(story) = heard.story() {
                table.show(story);
            }
            if let Some(about) = &mut table.about_match {
                about.pending = heard.pending();
                if let Some(notice) = notice {
                    // The end of a game is still to be read when the next one begins.
                    let ended = std::mem::take(&mut about.ended);
                    if matches!(line, Line::Hand(_)) {
                        about.notice = if ended.is_empty() { notice } else { format!("{ended} {notice}") };
                    } else {
                        (about.notice, about.ended) = (notice.clone(), notice);
                    }
                }
            }
            if !is_asked_already {
                table.ask(Some(question(heard)));
            }
        });
        Ok(())
    }

    /// Sends what the person answers, until the person leaves.
    fn take_replies(&self) {
        loop {
            let (step, reply) = self.desk.await_reply();
            let answer = match reply {
                Reply::Suggest(cards) => Answer::Hypothesis(cards),
                Reply::Accuse(cards) => Answer::Accusation(cards),
                Reply::Card(card) => Answer::Show(card),
                Reply::Leave => break,
            };
            let mut heard = self.heard();
            let Some(heard) = heard.as_mut() else { continue };
            self.desk.change(|table| {
                // The server may have gone on meanwhile.
                if table.asked() != (None, step) {
                    return;
                }
                heard.says(&answer);
                let _ = send(&self.stream, &answer);
                if let Some(story) = heard.story() {
                    table.show(story);
                }
                table.ask(Some(Ask::Wait));
            });
        }
        self.has_left.store(true, Ordering::Relaxed);
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    /// The match is over; the page stays until the person closes it.
    fn server_has_gone(&self) -> Exit {
        let heard = self.heard();
        let (ended, wins) = heard.as_ref().map_or((0, 0), Heard::results);
        let (has_played, is_playing) =
            heard.as_ref().map_or((false, false), |heard| (heard.story().is_some(), heard.is_playing()));
        if self.has_left.load(Ordering::Relaxed) {
            return Exit::Success;
        }
        let farewell = farewell(has_played, is_playing);
        self.desk.change(|table| {
            let games = if ended == 1 { "1 game".to_owned() } else { format!("{ended} games") };
            let result = if has_played { format!(" Of {games}, you have won {wins}.") } else { String::new() };
            let last = table.about_match.as_ref().map_or("", |about| about.notice.as_str());
            say(table, format!("{last} {}{result}", farewell.unwrap_or("The match is over.")));
            table.ask(Some(Ask::Close));
        });
        if farewell.is_none() { Exit::Success } else { Exit::Partly }
    }
}

fn say(table: &mut Table, notice: String) {
    if let Some(about) = &mut table.about_match {
        about.notice = notice;
        about.pending = None;
    }
}

fn question(heard: &Heard) -> Ask {
    match heard.request() {
        Some(Request::Act) => Ask::Turn,
        Some(Request::Show { to, .. }) => Ask::Card { asker: to, choices: heard.choices() },
        None => Ask::Wait,
    }
}

/// Returns how a game has ended.
fn ending_notice(heard: &Heard, line: Line, was_asked: bool) -> String {
    let Some(story) = heard.story() else {
        return if let Line::Error(code) = line { fault_text(code, was_asked) } else { String::new() };
    };
    let text = match (story.ending, line) {
        (Some(Ending::Won(seat)), _) if seat == heard.seat().me() => "you have won.".to_owned(),
        (_, Line::Error(code)) => fault_text(code, was_asked),
        (Some(ending), _) => ending_text(story, ending),
        (None, _) => String::new(),
    };
    format!("Game {}: {text}", story.game)
}
