//! A person at the terminal.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::net::TcpStream;
use std::os::fd::AsFd as _;

use amazons_program::{Exit, Typed, drop_typed_ahead};
use cluedo::bots::describe::{Detail, describe};
use cluedo::card_names::COURSE_KINDS;
use cluedo::deck::CardSet;
use cluedo::line::message::{Answer, Line};
use cluedo::line::seat::{Request, Seat};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::{farewell, fault_text};
use crate::client::{check_seat, read_line, send};

const HELP: &str =
    "H 0 5 9: ask for three cards, one of each type   A 0 5 9: accuse   notebook: what follows from what you
saw   hint: chances too   quit";

/// A person's reply.
enum Reply {
    Answer(Answer),
    Leave,
    /// Nothing before the server says something else.
    TooLate,
}

/// The server and the person.
struct Session<'s> {
    server: BufReader<&'s TcpStream>,
    person: BufReader<File>,
}

pub(super) fn run(stream: &TcpStream, login: &str, out: &mut impl Write) -> Result<Exit, Exit> {
    let input = io::stdin().as_fd().try_clone_to_owned();
    let input = input.map_err(|error| Exit::failure(format!("cannot read standard input: {error}")))?;
    let mut session = Session { server: BufReader::new(stream), person: BufReader::new(File::from(input)) };
    // A server that has gone may have said something first.
    let _ = send(stream, &Answer::Hello(login.to_owned()));
    let mut seat: Option<Seat> = None;
    let mut pending = None;
    let (mut is_playing, mut has_played) = (false, false);
    loop {
        if let (Some(request), Some(seat)) = (pending, &mut seat) {
            match session.ask(request, seat, out)? {
                Reply::Answer(answer) => {
                    seat.says(&answer);
                    pending = None;
                    // If the server has gone, reading ends.
                    let _ = send(stream, &answer);
                }
                Reply::Leave => return Ok(Exit::Success),
                Reply::TooLate => writeln!(out)?,
            }
        }
        let Some(bytes) = read_line(&mut session.server)? else { break };
        let Some(line) = Line::parse(&bytes) else { continue };
        if let Line::Welcome { seat: number, players } = line {
            check_seat(number, players)?;
            seat = Some(Seat::new(number, players));
            writeln!(out, "You have seat {number} of {players}; the game begins when all are there.")?;
            continue;
        }
        let Some(seat) = &mut seat else { continue };
        let was_asked = pending.is_some();
        match line {
            Line::Hand(_) => (is_playing, has_played, pending) = (true, true, None),
            Line::Won(_) | Line::Error(_) => (is_playing, pending) = (false, None),
            _ => {}
        }
        tell(line, seat, was_asked, out)?;
        pending = seat.hear(line).or(pending);
    }
    let Some(farewell) = farewell(has_played, is_playing) else { return Ok(Exit::Success) };
    writeln!(out, "{farewell}")?;
    Ok(Exit::Partly)
}

/// Prints what a line means.
fn tell(line: Line, seat: &Seat, was_asked: bool, out: &mut impl Write) -> Result<(), Exit> {
    let deck = seat.facts.deck;
    match line {
        Line::Hand(hand) => {
            let types: Vec<String> =
                (0..3).map(|kind| format!("{} {}", COURSE_KINDS[kind], deck.of_kind(kind))).collect();
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
        Line::Error(code) => writeln!(out, "{}", fault_text(code, was_asked))?,
        Line::Welcome { .. } | Line::Turn | Line::Ask => {}
    }
    out.flush()?;
    Ok(())
}

impl Session<'_> {
    /// Waits until the person has typed something; false if the server speaks, or goes, before that.
    fn is_typed(&self) -> Result<bool, Exit> {
        if !self.server.buffer().is_empty() {
            return Ok(false);
        }
        if !self.person.buffer().is_empty() {
            return Ok(true);
        }
        let server: &TcpStream = self.server.get_ref();
        let mut both = [PollFd::new(server, PollFlags::IN), PollFd::new(self.person.get_ref(), PollFlags::IN)];
        while let Err(error) = poll(&mut both, None) {
            if error != Errno::INTR {
                return Err(Exit::failure(format!("cannot wait for input: {error}")));
            }
        }
        Ok(both[0].revents().is_empty())
    }

    /// Asks the person until the answer is legal.
    fn ask(&mut self, request: Request, seat: &Seat, out: &mut impl Write) -> Result<Reply, Exit> {
        let hand = seat.facts.hand();
        let cards = match request {
            Request::Show { named, .. } => named & hand,
            Request::Act => CardSet::EMPTY,
        };
        if let Request::Show { named, .. } = request {
            if let Some(card) = cards.only() {
                writeln!(out, "  you show {card}, the only one that you have.")?;
                return Ok(Reply::Answer(Answer::Show(card)));
            }
            if cards.is_empty() {
                // A defect of the server: it must be told something.
                let card = named.first().or_else(|| hand.first()).unwrap_or(0);
                writeln!(out, "  the server asks you for a card, and you have none of those: the answer is {card}.")?;
                return Ok(Reply::Answer(Answer::Show(card)));
            }
        }
        if self.person.buffer().is_empty() && drop_typed_ahead() {
            writeln!(out, "What you typed before this question is not taken.")?;
        }
        loop {
            match request {
                Request::Act => write!(out, "Your turn (H or A and three cards, notebook, hint, ?): ")?,
                Request::Show { .. } => write!(out, "Which card do you show: {cards}? ")?,
            }
            out.flush()?;
            if !self.is_typed()? {
                return Ok(Reply::TooLate);
            }
            let text = match amazons_program::read_line(&mut self.person) {
                Typed::Line(line) => line,
                Typed::NotText | Typed::TooLong => char::REPLACEMENT_CHARACTER.to_string(),
                Typed::End => return Ok(Reply::Leave),
                Typed::Failed(error) => return Err(Exit::failure(format!("cannot read standard input: {error}"))),
            };
            match text.trim() {
                "" => {}
                "?" => writeln!(out, "{HELP}")?,
                "quit" | "exit" => return Ok(Reply::Leave),
                "notebook" => write!(out, "{}", describe(seat, Detail::Rules))?,
                "hint" => write!(out, "{}", describe(seat, Detail::Chances))?,
                text => match read_answer(text, request, cards, seat) {
                    Some(answer) => return Ok(Reply::Answer(answer)),
                    None if request == Request::Act => {
                        writeln!(out, "Write H or A and one card of each type; ? for help.")?;
                    }
                    None => writeln!(out, "Write one of {cards}.")?,
                },
            }
        }
    }
}

/// Reads a legal answer.
fn read_answer(text: &str, request: Request, cards: CardSet, seat: &Seat) -> Option<Answer> {
    let prefix = if request == Request::Act { "" } else { "M " };
    let typed = text.to_ascii_uppercase();
    let typed = typed.strip_prefix(prefix).unwrap_or(&typed);
    let answer = Answer::parse(format!("{prefix}{typed}").as_bytes())?;
    let is_legal = match answer {
        Answer::Show(card) => card < 64 && cards.contains(card),
        Answer::Hypothesis(named) | Answer::Accusation(named) => {
            request == Request::Act && seat.facts.deck.triple(named).is_some()
        }
        Answer::Hello(_) => false,
    };
    is_legal.then_some(answer)
}
