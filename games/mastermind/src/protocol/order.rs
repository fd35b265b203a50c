//! The order of the report, and the parts of players.

use std::collections::VecDeque;

use postcard::fixint::le;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::code::Code;
use crate::game::{Game, PEGS_MAX, Repetition};
use crate::words::word_pair;

/// Places in an order: `from`, `from + step` and so on, below `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    #[serde(with = "le")]
    pub from: u32,
    #[serde(with = "le")]
    pub to: u32,
    /// The distance between places, at least 1.
    #[serde(serialize_with = "le::serialize", deserialize_with = "distance")]
    pub step: u32,
}

/// Reads a distance, which another rank may have made up.
fn distance<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    le::deserialize(deserializer).and_then(|step| if step > 0 { Ok(step) } else { Err(D::Error::custom("0")) })
}

/// How codes are divided among players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parts {
    /// Colours in turn; a player has all codes that begin with one of its colours.
    FirstColour,
    /// Codes in turn.
    Interleaved,
}

impl Span {
    pub const EMPTY: Self = Self { from: 0, to: 0, step: 1 };

    pub const fn len(self) -> u32 {
        self.to.saturating_sub(self.from).div_ceil(self.step)
    }

    pub const fn is_empty(self) -> bool {
        self.from >= self.to
    }

    pub const fn has(self, place: u32) -> bool {
        self.from <= place && place < self.to && (place - self.from).is_multiple_of(self.step)
    }

    /// Cuts off the last places, at most this many.
    pub fn split_off(&mut self, count: u32) -> Self {
        let middle = self.from + (self.len() - count.min(self.len())) * self.step;
        let end = Self { from: middle.min(self.to), ..*self };
        self.to = end.from;
        end
    }
}

impl Parts {
    /// Returns the part of a player, counted from 0.
    pub fn part(self, game: Game, player: u32, players: u32) -> VecDeque<Span> {
        let codes = game.codes();
        match self {
            Self::Interleaved => [Span { from: player, to: codes, step: players }].into(),
            Self::FirstColour => {
                let colours = u32::try_from(game.colours()).expect("at most 16");
                let block = codes / colours;
                let own = (player..colours).step_by(players as usize);
                own.map(|colour| Span { from: colour * block, to: (colour + 1) * block, step: 1 }).collect()
            }
        }
    }
}

/// The codes of a game in the report's order, by place. Those of a small game are kept, those of a large one are made
/// when they are needed.
#[derive(Debug)]
pub struct Order {
    pub game: Game,
    kept: Vec<(Code, (u128, u128))>,
}

/// Maximum number of codes to keep: some 800 kB.
const KEPT_MAX: u32 = 1 << 14;

impl Order {
    pub fn new(game: Game) -> Self {
        let kept = if game.codes() <= KEPT_MAX { 0..game.codes() } else { 0..0 };
        Self { game, kept: kept.map(|place| made(game, place)).collect() }
    }

    /// Panics if the game has no such place.
    pub(super) fn at(&self, place: u32) -> (Code, (u128, u128)) {
        self.kept.get(place as usize).copied().unwrap_or_else(|| made(self.game, place))
    }
}

fn made(game: Game, place: u32) -> (Code, (u128, u128)) {
    let code = code_at(game, place);
    (code, word_pair(game, code))
}

/// Returns the code at a place of the report's order: first colours ascending, then the sets of the other colours in
/// lexicographic order, then the permutations of a set in lexicographic order. With repetition, which the report does
/// not know, the order is lexicographic. Panics if the game has no such place.
pub fn code_at(game: Game, place: u32) -> Code {
    if game.repetition() == Repetition::Allowed || game.pegs() == 1 {
        return game.code(place);
    }
    assert!(place < game.codes(), "{game} has no place {place}");
    let (pegs, colours) = (game.pegs(), game.colours());
    let orders: u32 = (1..pegs).map(to_u32).product();
    let block = game.codes() / to_u32(colours);
    let first = place / block;
    let (mut set, mut rank) = (place % block / orders, place % orders);
    // The members of the set: skip all sets that begin with a smaller colour.
    let (mut members, mut wanted, mut rest) = (0u32, pegs - 1, colours - 1);
    for colour in (0..to_u32(colours)).filter(|&colour| colour != first) {
        if wanted == 0 {
            break;
        }
        rest -= 1;
        let with_it = binomial(rest, wanted - 1);
        if set < with_it {
            members |= 1 << colour;
            wanted -= 1;
        } else {
            set -= with_it;
        }
    }
    let (mut code, mut below) = ([byte(first); PEGS_MAX], orders);
    for (place, peg) in code[..pegs].iter_mut().enumerate().skip(1) {
        below /= to_u32(pegs - place);
        let mut others = members;
        for _ in 0..rank / below {
            others &= others - 1;
        }
        *peg = byte(others.trailing_zeros());
        members &= !(1 << *peg);
        rank %= below;
    }
    Code::from_pegs(&code[..pegs])
}

fn binomial(of: usize, choose: usize) -> u32 {
    if choose > of {
        return 0;
    }
    (0..to_u32(choose)).fold(1, |product, factor| product * (to_u32(of) - factor) / (factor + 1))
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).expect("a small number")
}

fn byte(colour: u32) -> u8 {
    u8::try_from(colour).expect("at most 16 colours")
}
