use std::fmt;
use std::str::FromStr;

use thiserror::Error;

pub const PEGS_MAX: usize = 10;
pub const COLOURS_MAX: usize = 16;
/// Maximum number of codes of a game; such a game fits 128 bits for places times colours.
pub const CODES_MAX: u64 = 100_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// Colours are written from 1 on.
    Allowed,
    /// Colours are written from 0 on.
    Forbidden,
}

/// The size and the rule of a game, such as 4x6r.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Game {
    pegs: u8,
    colours: u8,
    repetition: Repetition,
    codes: u32,
}

/// Why something that a person writes is refused, and how to write it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ParseError(pub(crate) String);

impl Game {
    pub fn new(pegs: usize, colours: usize, repetition: Repetition) -> Result<Self, ParseError> {
        if !(1..=PEGS_MAX).contains(&pegs) || !(1..=COLOURS_MAX).contains(&colours) {
            return Err(ParseError(format!(
                "no game has {pegs} pegs and {colours} colours: 1 to {PEGS_MAX} pegs and 1 to {COLOURS_MAX} colours"
            )));
        }
        if repetition == Repetition::Forbidden && pegs > colours {
            return Err(ParseError(format!(
                "{pegs}x{colours}n has no code: without repetition there are at most as many pegs as colours"
            )));
        }
        let codes: u64 = match repetition {
            Repetition::Allowed => (0..pegs).map(|_| colours as u64).product(),
            Repetition::Forbidden => (0..pegs).map(|place| (colours - place) as u64).product(),
        };
        let [pegs, colours] = [pegs, colours].map(|number| u8::try_from(number).expect("at most 16"));
        let game = |codes| Self { pegs, colours, repetition, codes };
        match u32::try_from(codes) {
            Ok(count) if codes <= CODES_MAX => Ok(game(count)),
            _ => Err(ParseError(format!("{} has {codes} codes: at most {CODES_MAX} are supported", game(0)))),
        }
    }

    pub const fn pegs(self) -> usize {
        self.pegs as usize
    }

    pub const fn colours(self) -> usize {
        self.colours as usize
    }

    pub const fn repetition(self) -> Repetition {
        self.repetition
    }

    /// Returns the number of codes; their indices count from 0 in lexicographic order.
    pub const fn codes(self) -> u32 {
        self.codes
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.repetition {
            Repetition::Allowed => 'r',
            Repetition::Forbidden => 'n',
        };
        write!(f, "{}x{}{letter}", self.pegs, self.colours)
    }
}

impl FromStr for Game {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let number = |digits: &str| {
            let is_plain = (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| is_plain)
        };
        let parse = || {
            let (sizes, repetition) = match text.as_bytes().last()? {
                b'r' => (text.strip_suffix('r')?, Repetition::Allowed),
                b'n' => (text.strip_suffix('n')?, Repetition::Forbidden),
                _ => return None,
            };
            let (pegs, colours) = sizes.split_once('x')?;
            Some((number(pegs)?, number(colours)?, repetition))
        };
        let (pegs, colours, repetition) = parse().ok_or_else(|| {
            ParseError(format!(
                "unknown game {text:?}: write pegs x colours and r (a colour may repeat) or n (it may not), such as 4x6r \
                 or 4x10n"
            ))
        })?;
        Self::new(pegs, colours, repetition)
    }
}
