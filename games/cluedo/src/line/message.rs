//! The lines between the server and its clients, and who gets which.

use std::fmt;
use std::io::Write as _;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::deck::{CardSet, Deck};
use crate::game::{Action, Event};

/// Maximum length of a line, without its end.
pub const MAX_LINE_LEN: usize = 64;

const MAX_LOGIN_LEN: usize = 32;

pub fn is_login(name: &[u8]) -> bool {
    (1..=MAX_LOGIN_LEN).contains(&name.len()) && name.iter().all(u8::is_ascii_graphic)
}

/// A line from the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// `B j N`: your seat and the number of players.
    Welcome { seat: usize, players: usize },
    /// `C a b c`: your hand in a new game.
    Hand(CardSet),
    /// `T`: it is your turn.
    Turn,
    /// `H a b c`: a hypothesis, cards as sent.
    Hypothesis([usize; 3]),
    /// `P v`: this seat has none of the cards.
    Pass(usize),
    /// `C`: show a card.
    Ask,
    /// `M v`: this seat showed a card to the suggester.
    Shown(usize),
    /// `M v c`: this seat showed you this card.
    ShownToYou(usize, usize),
    /// `M`: nobody showed a card.
    Nobody,
    /// `F j`: this seat has won.
    Won(usize),
    /// `E e`: an error; the game is void.
    Error(u32),
}

/// A line from a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `B login`.
    Hello(String),
    /// `H a b c`.
    Hypothesis([usize; 3]),
    /// `A a b c`.
    Accusation([usize; 3]),
    /// `M c`.
    Show(usize),
}

/// The faults of a client, and the turn limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// No hello, or a wrong one.
    Hello,
    /// Something else than a legal hypothesis or accusation.
    Action,
    /// No answer to `T`.
    NoAction,
    /// Something else than a card that was named and is held.
    Card,
    /// No answer to `C`.
    NoCard,
    /// Too many turns, or nobody may play.
    Limit,
}

/// Which numbers stand for the faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Codes {
    /// The numbers of the subject.
    #[default]
    Subject,
    /// The numbers of server 0.2.
    #[serde(rename = "0.2")]
    #[value(name = "0.2")]
    Old,
}

impl Fault {
    /// Returns the number that a client reads; `letter` says whether the line began with a letter that is known.
    pub const fn code(self, codes: Codes, known_letter: bool) -> u32 {
        let [subject, old] = match self {
            Self::Hello => [101, 103],
            Self::Action if known_letter => [201, 201],
            Self::Action => [201, 111],
            Self::NoAction => [202, 112],
            Self::Card => [211, 121],
            Self::NoCard => [212, 122],
            Self::Limit => [301, 104],
        };
        match codes {
            Codes::Subject => subject,
            Codes::Old => old,
        }
    }

    /// Returns the fault that a number stands for, whichever numbers the server uses.
    pub fn of_code(code: u32) -> Option<Self> {
        let numbers = [(Codes::Subject, true), (Codes::Old, true), (Codes::Old, false)];
        let faults = [Self::Hello, Self::Action, Self::NoAction, Self::Card, Self::NoCard, Self::Limit];
        faults.into_iter().find(|fault| numbers.iter().any(|&(codes, letter)| fault.code(codes, letter) == code))
    }
}

/// Splits at blanks and tabs.
fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| byte == b' ' || byte == b'\t').filter(|token| !token.is_empty())
}

/// Reads digits only; leading zeros are fine, and large numbers stay large.
fn number(token: &[u8]) -> Option<usize> {
    token.iter().try_fold(0_usize, |value, &byte| {
        byte.is_ascii_digit().then(|| value.saturating_mul(10).saturating_add(usize::from(byte - b'0')))
    })
}

/// Reads a capital letter and up to three numbers.
fn words(line: &[u8]) -> Option<(u8, [usize; 3], usize)> {
    let mut tokens = tokens(line);
    let &[letter] = tokens.next()? else { return None };
    let (mut numbers, mut count) = ([0; 3], 0);
    for token in tokens {
        *numbers.get_mut(count)? = number(token)?;
        count += 1;
    }
    Some((letter, numbers, count))
}

impl Answer {
    /// Reads a line without its end, if it is well-formed. Whether its cards make sense is not checked.
    pub fn parse(line: &[u8]) -> Option<Self> {
        match words(line) {
            Some((b'H', cards, 3)) => return Some(Self::Hypothesis(cards)),
            Some((b'A', cards, 3)) => return Some(Self::Accusation(cards)),
            Some((b'M', [card, ..], 1)) => return Some(Self::Show(card)),
            _ => {}
        }
        let mut tokens = tokens(line);
        let (b"B", Some(login), None) = (tokens.next()?, tokens.next(), tokens.next()) else { return None };
        is_login(login).then(|| Self::Hello(String::from_utf8_lossy(login).into_owned()))
    }

    /// Returns the action of a client in its turn, if it names a card of each type. A suggestion keeps its order.
    pub fn action(&self, deck: Deck) -> Option<Action> {
        match *self {
            Self::Hypothesis(cards) => deck.triple(cards).map(|_| Action::Suggest(cards)),
            Self::Accusation(cards) => deck.triple(cards).map(Action::Accuse),
            Self::Hello(_) | Self::Show(_) => None,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hello(login) => write!(f, "B {login}"),
            Self::Hypothesis([a, b, c]) => write!(f, "H {a} {b} {c}"),
            Self::Accusation([a, b, c]) => write!(f, "A {a} {b} {c}"),
            Self::Show(card) => write!(f, "M {card}"),
        }
    }
}

impl Line {
    /// Reads a line without its end, if it is one of the server's.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let (letter, [a, b, c], count) = words(line)?;
        Some(match (letter, count) {
            (b'B', 2) => Self::Welcome { seat: a, players: b },
            (b'C', 3) if [a, b, c].iter().all(|&card| card < 64) => Self::Hand(CardSet::of([a, b, c])),
            (b'T', 0) => Self::Turn,
            (b'H', 3) => Self::Hypothesis([a, b, c]),
            (b'P', 1) => Self::Pass(a),
            (b'C', 0) => Self::Ask,
            (b'M', 1) => Self::Shown(a),
            (b'M', 2) => Self::ShownToYou(a, b),
            (b'M', 0) => Self::Nobody,
            (b'F', 1) => Self::Won(a),
            (b'E', 1) => Self::Error(u32::try_from(a).unwrap_or(u32::MAX)),
            _ => return None,
        })
    }

    /// Appends the line with its end to bytes.
    pub fn write(self, to: &mut Vec<u8>, trailing_blank: bool) {
        let (letter, numbers, count) = match self {
            Self::Welcome { seat, players } => (b'B', [seat, players, 0], 2),
            Self::Hand(hand) => {
                let mut cards = hand.iter();
                (b'C', std::array::from_fn(|_| cards.next().unwrap_or(0)), hand.len().min(3))
            }
            Self::Turn => (b'T', [0; 3], 0),
            Self::Hypothesis(cards) => (b'H', cards, 3),
            Self::Pass(seat) => (b'P', [seat, 0, 0], 1),
            Self::Ask => (b'C', [0; 3], 0),
            Self::Shown(seat) => (b'M', [seat, 0, 0], 1),
            Self::ShownToYou(seat, card) => (b'M', [seat, card, 0], 2),
            Self::Nobody => (b'M', [0; 3], 0),
            Self::Won(seat) => (b'F', [seat, 0, 0], 1),
            Self::Error(code) => (b'E', [code as usize, 0, 0], 1),
        };
        to.push(letter);
        for &number in &numbers[..count] {
            // Memory takes every byte.
            let _ = write!(to, " {number}");
        }
        if trailing_blank && count == 0 {
            to.push(b' ');
        }
        to.push(b'\n');
    }
}

/// The seats that hear a hypothesis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Echo {
    /// All seats but that of the suggester.
    #[default]
    Others,
    /// All seats.
    All,
}

/// Sends the lines of an event, each to its seat.
pub fn deliver(event: Event, players: usize, echo: Echo, send: &mut impl FnMut(usize, Line)) {
    let mut to_all = |line, but: Option<usize>| {
        for seat in (0..players).filter(|&seat| Some(seat) != but) {
            send(seat, line);
        }
    };
    match event {
        Event::Suggest { seat, cards } => {
            to_all(Line::Hypothesis(cards), (echo == Echo::Others).then_some(seat));
        }
        Event::Pass { seat } => to_all(Line::Pass(seat), None),
        Event::Show { seat, to, card } => {
            to_all(Line::Shown(seat), Some(to));
            if let Some(card) = card {
                send(to, Line::ShownToYou(seat, card));
            }
        }
        Event::Unanswered { .. } => to_all(Line::Nobody, None),
        Event::Accuse { seat, is_right: true, .. } => to_all(Line::Won(seat), None),
        Event::Accuse { .. } | Event::Fault { .. } | Event::Leave { .. } => {}
    }
}
