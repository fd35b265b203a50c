use std::fmt;

use crate::code::Code;
use crate::game::{COLOURS_MAX, Game, ParseError};

/// The answer to a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Feedback {
    /// Pegs of the right colour in the right place.
    pub black: u8,
    /// Pegs of a right colour in a wrong place.
    pub white: u8,
}

impl Feedback {
    /// Compares two codes of the same length; which of them is the guess does not matter.
    pub fn of(guess: Code, secret: Code) -> Self {
        let (mut black, mut common) = (0, 0);
        let mut counts = [(0u8, 0u8); COLOURS_MAX];
        for (&one, &other) in guess.pegs().iter().zip(secret.pegs()) {
            black += u8::from(one == other);
            counts[usize::from(one)].0 += 1;
            counts[usize::from(other)].1 += 1;
        }
        for (one, other) in counts {
            common += one.min(other);
        }
        Self { black, white: common - black }
    }
}

impl Game {
    /// Fails if no guess of any game with this number of pegs gets this answer.
    pub fn feedback(self, black: u32, white: u32) -> Result<Feedback, ParseError> {
        let pegs = self.pegs();
        let reason = match (u8::try_from(black), u8::try_from(white)) {
            (Ok(right), Ok(1)) if usize::from(right) + 1 == pegs => "the last peg has no other place".to_owned(),
            (Ok(black), Ok(white)) if usize::from(black) + usize::from(white) <= pegs => {
                return Ok(Feedback { black, white });
            }
            _ => format!("there are only {pegs} pegs"),
        };
        Err(ParseError(format!("an answer of {black} black and {white} white is impossible: {reason}")))
    }

    /// Reads an answer: two digits, two numbers with something between them, or letters: `12`, `1, 2`, `1-2`, `BWW`,
    /// `1B2W`; `1A2B` and `1 bull 2 cows` are other names of black and white.
    pub fn parse_feedback(self, text: &str) -> Result<Feedback, ParseError> {
        let (black, white) = counts(text).ok_or_else(|| {
            ParseError(format!(
                "unknown answer {text:?}: write black and white pegs, such as 12, 1,2 or BWW for 1 black and 2 white"
            ))
        })?;
        self.feedback(black, white)
    }

    pub fn solved(self) -> Feedback {
        Feedback { black: u8::try_from(self.pegs()).expect("at most 10"), white: 0 }
    }

    /// Returns the answers that are possible with this number of pegs, fewest blacks first.
    pub fn feedbacks(self) -> impl Iterator<Item = Feedback> {
        let pegs = u32::try_from(self.pegs()).expect("at most 10");
        let of = move |black| (0..=pegs - black).filter_map(move |white| self.feedback(black, white).ok());
        (0..=pegs).flat_map(of)
    }
}

/// Reads the numbers of blacks and whites.
fn counts(text: &str) -> Option<(u32, u32)> {
    let mut text = text.trim().to_lowercase();
    if matches!(text.as_str(), "0" | "none" | "nothing") {
        return Some((0, 0));
    }
    let number = |digits: &str| {
        let is_plain = (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| is_plain)
    };
    if text.len() == 2 && number(&text).is_some() {
        return Some((number(&text[..1])?, number(&text[1..])?));
    }
    if !text.chars().any(char::is_alphabetic) {
        let (one, other) =
            text.split_once([',', '-', '/', '.', ';']).or_else(|| text.split_once(char::is_whitespace))?;
        return Some((number(one.trim())?, number(other.trim())?));
    }
    for (word, letter) in [("blacks", "b"), ("black", "b"), ("whites", "w"), ("white", "w"), ("bulls", "b")]
        .into_iter()
        .chain([("bull", "b"), ("cows", "c"), ("cow", "c"), (" and ", " ")])
    {
        text = text.replace(word, letter);
    }
    // B is what fits, unless A is.
    let (black, whites) = if text.contains('a') { ('a', ['b'; 2]) } else { ('b', ['w', 'c']) };
    let (mut found, mut is_counted, mut digits) = ([0; 2], [false; 2], String::new());
    for letter in text.chars().filter(|letter| !letter.is_whitespace() && !",-/.;".contains(*letter)) {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        let kind = if letter == black { 0 } else { whites.iter().position(|&white| white == letter).map(|_| 1)? };
        // "1B1B" and "2BB" say nothing clear.
        if is_counted[kind] || !digits.is_empty() && found[kind] > 0 {
            return None;
        }
        is_counted[kind] = !digits.is_empty();
        found[kind] += if digits.is_empty() { 1 } else { number(&digits)? };
        digits.clear();
    }
    (digits.is_empty() && !(text.contains('w') && text.contains('c'))).then_some((found[0], found[1]))
}

impl fmt::Display for Feedback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comma = if self.black.max(self.white) > 9 { "," } else { "" };
        write!(f, "{}{comma}{}", self.black, self.white)
    }
}
