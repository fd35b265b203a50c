use std::ops::{BitAnd, BitOrAssign, Shl};

use crate::code::Code;
use crate::game::{COLOURS_MAX, Game};

/// A word with a bit for each place and colour: 64 bits where they suffice, otherwise 128.
pub(crate) trait Word:
    Copy + Send + Sync + BitAnd<Output = Self> + BitOrAssign + Shl<usize, Output = Self> + From<u8>
{
    fn count(self) -> u32;
}

macro_rules! word {
    ($($word:ty)*) => {$(
        impl Word for $word {
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
        }
    )*};
}
word!(u64 u128);

/// Codes as words: the blacks of two codes are the common bits of `places`, blacks and whites those of `counts`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words<W> {
    /// The bit for each peg's place and colour.
    pub(crate) places: Vec<W>,
    /// The number of pegs of each colour, as that many bits.
    pub(crate) counts: Vec<W>,
}

impl<W: Word> Words<W> {
    pub(crate) fn of(game: Game, codes: impl Iterator<Item = Code>) -> Self {
        let mut words = Self { places: Vec::new(), counts: Vec::new() };
        for code in codes {
            let (places, counts) = word_pair(game, code);
            words.places.push(places);
            words.counts.push(counts);
        }
        words
    }

    pub(crate) fn pick(&self, indices: &[u32]) -> Self {
        let of = |words: &[W]| indices.iter().map(|&index| words[index as usize]).collect();
        Self { places: of(&self.places), counts: of(&self.counts) }
    }
}

/// Returns a code's `places` and `counts`.
pub(crate) fn word_pair<W: Word>(game: Game, code: Code) -> (W, W) {
    let (mut places, mut counts) = (W::from(0), W::from(0));
    let mut used = [0usize; COLOURS_MAX];
    for (place, &colour) in code.pegs().iter().enumerate() {
        let colour = usize::from(colour);
        places |= W::from(1) << (place * game.colours() + colour);
        counts |= W::from(1) << (colour * game.pegs() + used[colour]);
        used[colour] += 1;
    }
    (places, counts)
}
