use crate::code::Code;
use crate::feedback::Feedback;
use crate::game::Game;

/// A code as bits: the blacks of two codes are the common bits of `places`, blacks and whites those of `counts`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits {
    /// The bit of each peg's place and colour.
    places: u128,
    /// The number of pegs of each colour, as that many bits.
    counts: u128,
}

impl Bits {
    pub(super) fn of(game: Game, code: Code) -> Self {
        let mut bits = Self { places: 0, counts: 0 };
        let (pegs, colours) = (game.pegs(), game.colours());
        for (place, &colour) in code.pegs().iter().enumerate() {
            let colour = usize::from(colour);
            bits.places |= 1 << (place * colours + colour);
            // The lowest free bit of this colour.
            let used = bits.counts >> (colour * pegs);
            bits.counts |= (!used & (used + 1)) << (colour * pegs);
        }
        bits
    }

    pub(super) fn compare(self, other: Self) -> Feedback {
        let black = count(self.places & other.places);
        Feedback { black, white: count(self.counts & other.counts) - black }
    }
}

/// Counts the bits of a word with few: two codes have at most ten in common.
fn count(mut word: u128) -> u8 {
    let mut count = 0;
    while word != 0 {
        word &= word - 1;
        count += 1;
    }
    count
}
