//! The lines between the server and its clients.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::deck::{CardSet, Deck};
use crate::game::Action;

/// Maximum length of a line, without its end.
pub const MAX_LINE_LEN: usize = 64;

pub const MAX_LOGIN_LEN: usize = 32;

/// A line from the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// `B j N`: your seat and the number of players.
    Welcome {
        /// Whose line it is.
        seat: usize,
        players: usize,
    },
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Codes {
    /// Those of the subject.
    #[default]
    Subject,
    /// Those of the server 0.2.
    #[serde(rename = "0.2")]
    Old,
}

impl Fault {
    /// Returns the number that a client reads; `letter` says whether the line began with a letter that is known.
    pub const fn code(self, codes: Codes, known_letter: bool) -> u32 {
        match (codes, self) {
            (Codes::Subject, Self::Hello) => 101,
            (Codes::Subject, Self::Action) => 201,
            (Codes::Subject, Self::NoAction) => 202,
            (Codes::Subject, Self::Card) => 211,
            (Codes::Subject, Self::NoCard) => 212,
            (Codes::Subject, Self::Limit) => 301,
            (Codes::Old, Self::Hello) => 103,
            (Codes::Old, Self::Action) if known_letter => 201,
            (Codes::Old, Self::Action) => 111,
            (Codes::Old, Self::NoAction) => 112,
            (Codes::Old, Self::Card) => 121,
            (Codes::Old, Self::NoCard) => 122,
            (Codes::Old, Self::Limit) => 104,
        }
    }
}

impl Fault {
    const ALL: [Self; 6] = [Self::Hello, Self::Action, Self::NoAction, Self::Card, Self::NoCard, Self::Limit];

    /// Returns the fault that a number stands for, whichever numbers the server uses.
    pub fn of_code(code: u32) -> Option<Self> {
        let forms = [(Codes::Subject, true), (Codes::Old, true), (Codes::Old, false)];
        Self::ALL.into_iter().find(|fault| forms.iter().any(|&(codes, known)| fault.code(codes, known) == code))
    }
}

/// A line of one to three numbers after a capital letter, or none.
struct Words {
    letter: u8,
    numbers: [usize; 3],
    count: usize,
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

fn words(line: &[u8]) -> Option<Words> {
    let mut tokens = tokens(line);
    let &[letter] = tokens.next()? else { return None };
    let mut words = Words { letter, numbers: [0; 3], count: 0 };
    for token in tokens {
        *words.numbers.get_mut(words.count)? = number(token)?;
        words.count += 1;
    }
    Some(words)
}

impl Answer {
    /// Reads a line without its end, if it is well-formed. Whether its cards make sense is not checked.
    pub fn parse(line: &[u8]) -> Option<Self> {
        if let Some(Words { letter, numbers, count }) = words(line) {
            match (letter, count) {
                (b'H', 3) => return Some(Self::Hypothesis(numbers)),
                (b'A', 3) => return Some(Self::Accusation(numbers)),
                (b'M', 1) => return Some(Self::Show(numbers[0])),
                _ => {}
            }
        }
        let mut tokens = tokens(line);
        let (b"B", Some(login), None) = (tokens.next()?, tokens.next(), tokens.next()) else { return None };
        let is_login = login.len() <= MAX_LOGIN_LEN && login.iter().all(u8::is_ascii_graphic);
        is_login.then(|| Self::Hello(String::from_utf8_lossy(login).into_owned()))
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
        let Words { letter, numbers: [a, b, c], count } = words(line)?;
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
            to.push(b' ');
            write_number(to, number);
        }
        if trailing_blank && count == 0 {
            to.push(b' ');
        }
        to.push(b'\n');
    }
}

fn write_number(to: &mut Vec<u8>, number: usize) {
    if number >= 10 {
        write_number(to, number / 10);
    }
    to.push(b"0123456789"[number % 10]);
}
