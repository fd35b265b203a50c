use std::ops::Range;

use crate::game::{Game, PEGS_MAX, ParseError, Repetition};

/// The colours of its pegs, counted from 0. Codes compare as their indices do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code {
    pegs: [u8; PEGS_MAX],
    len: u8,
}

impl Code {
    pub fn pegs(&self) -> &[u8] {
        &self.pegs[..usize::from(self.len)]
    }

    /// Takes any colours, and panics on more than 10; [`Game::has`] tells whether a game has the code.
    pub fn from_pegs(colours: &[u8]) -> Self {
        let mut pegs = [0; PEGS_MAX];
        pegs[..colours.len()].copy_from_slice(colours);
        Self { pegs, len: u8::try_from(colours.len()).expect("at most 10") }
    }
}

impl Game {
    /// Panics if the game has no such index.
    pub fn code(self, index: u32) -> Code {
        assert!(index < self.codes(), "{self} has no code {index}");
        let mut pegs = [0; PEGS_MAX];
        let (mut rest, mut block, mut used) = (index, self.codes(), 0u16);
        for (place, peg) in pegs[..self.pegs()].iter_mut().enumerate() {
            match self.repetition() {
                Repetition::Allowed => {
                    block /= small(self.colours());
                    *peg = low_byte(rest / block);
                }
                Repetition::Forbidden => {
                    block /= small(self.colours() - place);
                    *peg = nth_unused(used, rest / block);
                    used |= 1 << *peg;
                }
            }
            rest %= block;
        }
        Code { pegs, len: low_byte(small(self.pegs())) }
    }

    pub fn index(self, code: Code) -> Option<u32> {
        let (mut index, mut used) = (self.has(code).then_some(0)?, 0u16);
        for (place, &colour) in code.pegs().iter().enumerate() {
            index = self.extend_index(index, place, used, colour);
            used |= 1 << colour;
        }
        Some(index)
    }

    pub fn has(self, code: Code) -> bool {
        let mut used = 0u16;
        let is_new = |&colour: &u8| {
            let is_new = used & 1 << colour == 0;
            used |= 1 << colour;
            is_new || self.repetition() == Repetition::Allowed
        };
        let in_range = code.pegs().iter().all(|&colour| usize::from(colour) < self.colours());
        code.pegs().len() == self.pegs() && in_range && code.pegs().iter().all(is_new)
    }

    /// Returns the index of a beginning of a code, from the index of the beginning without the last colour.
    #[inline]
    pub(crate) fn extend_index(self, index: u32, place: usize, used: u16, colour: u8) -> u32 {
        match self.repetition() {
            Repetition::Allowed => index * small(self.colours()) + u32::from(colour),
            Repetition::Forbidden => {
                let lower_used = (used & ((1 << colour) - 1)).count_ones();
                index * small(self.colours() - place) + u32::from(colour) - lower_used
            }
        }
    }

    /// In order; panics if the range ends beyond the last code.
    pub fn codes_in(self, range: Range<u32>) -> Codes {
        assert!(range.end <= self.codes(), "{self} has only {} codes", self.codes());
        let next = if range.is_empty() { self.code(0) } else { self.code(range.start) };
        Codes { game: self, next, range }
    }

    pub fn all_codes(self) -> Codes {
        self.codes_in(0..self.codes())
    }

    pub fn text(self, code: Code) -> String {
        code.pegs().iter().map(|&colour| self.colour_name(colour)).collect()
    }

    /// Digits, then letters; ten colours are the ten digits, with or without repetition.
    pub fn colour_name(self, colour: u8) -> char {
        if self.colours() == 10 && u32::from(colour) + self.first_digit() == 10 {
            return '0';
        }
        char::from_digit(u32::from(colour) + self.first_digit(), 36).unwrap_or('?')
    }

    pub fn parse_code(self, text: &str) -> Result<Code, ParseError> {
        let code = self.parse_guess(text)?;
        let is_again = |place: usize| code.pegs()[..place].contains(&code.pegs()[place]);
        match text.chars().enumerate().find(|(place, _)| is_again(*place)) {
            Some((_, name)) if self.repetition() == Repetition::Forbidden => Err(ParseError(format!(
                "{text:?} repeats colour {name}: codes of {self} have each colour once at most"
            ))),
            _ => Ok(code),
        }
    }

    /// Reads a guess on a real board, where a colour may repeat whatever the secret may.
    pub fn parse_guess(self, text: &str) -> Result<Code, ParseError> {
        let found = text.chars().count();
        if found != self.pegs() {
            return Err(ParseError(format!("{text:?} has {found} pegs: a code of {self} has {}", self.pegs())));
        }
        let mut pegs = [0; PEGS_MAX];
        for (place, name) in text.chars().enumerate() {
            let digit = name.to_digit(36).and_then(|digit| match digit {
                0 if self.colours() == 10 => Some(9 * self.first_digit()),
                digit => digit.checked_sub(self.first_digit()),
            });
            let Some(colour) = digit.filter(|&digit| digit < small(self.colours())) else {
                let last = self.colour_name(low_byte(small(self.colours()) - 1));
                let (first, place) = (self.colour_name(0), place + 1);
                return Err(ParseError(format!(
                    "{text:?} has no valid colour at peg {place}: the colours of {self} are {first} to {last}"
                )));
            };
            pegs[place] = low_byte(colour);
        }
        Ok(Code { pegs, len: low_byte(small(self.pegs())) })
    }

    fn first_digit(self) -> u32 {
        u32::from(self.repetition() == Repetition::Allowed)
    }
}

/// The codes of an index range, in order.
#[derive(Clone, Debug)]
pub struct Codes {
    game: Game,
    next: Code,
    range: Range<u32>,
}

impl Codes {
    /// Steps to the next code; after the last one, any code will do.
    fn advance(&mut self) {
        let len = usize::from(self.next.len);
        let pegs = &mut self.next.pegs[..len];
        let last = low_byte(small(self.game.colours()) - 1);
        match self.game.repetition() {
            Repetition::Allowed => {
                for peg in pegs.iter_mut().rev() {
                    if *peg < last {
                        *peg += 1;
                        return;
                    }
                    *peg = 0;
                }
            }
            Repetition::Forbidden => {
                let mut used = pegs.iter().fold(0u16, |used, peg| used | 1 << peg);
                for place in (0..len).rev() {
                    used &= !(1 << pegs[place]);
                    let Some(colour) = (pegs[place] + 1..=last).find(|colour| used & 1 << colour == 0) else {
                        continue;
                    };
                    pegs[place] = colour;
                    used |= 1 << colour;
                    for peg in &mut pegs[place + 1..] {
                        *peg = nth_unused(used, 0);
                        used |= 1 << *peg;
                    }
                    return;
                }
            }
        }
    }
}

impl Iterator for Codes {
    type Item = (u32, Code);

    fn next(&mut self) -> Option<(u32, Code)> {
        let index = self.range.next()?;
        let code = self.next;
        if !self.range.is_empty() {
            self.advance();
        }
        Some((index, code))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

/// Returns the colour with `rank` unused colours below it.
fn nth_unused(used: u16, rank: u32) -> u8 {
    let mut unused = !u32::from(used);
    for _ in 0..rank {
        unused &= unused - 1;
    }
    low_byte(unused.trailing_zeros())
}

fn low_byte(number: u32) -> u8 {
    number.to_le_bytes()[0]
}

fn small(number: usize) -> u32 {
    u32::try_from(number).expect("at most 16")
}
