use std::ops::Range;

use crate::table::seats::{AiType, Asking};
use crate::table::tally::{Cell, Seated, Tally};

/// Some games of a cell, as a job for any rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The kind of game.
    pub cell: Cell,
    /// The seed of all games.
    pub seed: u64,
    /// The numbers of the games.
    pub games: Range<u64>,
}

impl Batch {
    /// Plays the games.
    #[must_use]
    pub fn play(&self) -> Tally {
        self.cell.play(self.seed, self.games.clone())
    }

    /// Writes it as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Cell { ai_type, ais, seated, asking } = self.cell;
        let cell = u64::from(ai_type as u8) | (ais as u64) << 8 | u64::from(seated as u8) << 16;
        let cell = cell | u64::from(asking as u8) << 24;
        [cell, self.seed, self.games.start, self.games.end].into_iter().flat_map(u64::to_le_bytes).collect()
    }

    /// Reads what [`Batch::to_bytes`] wrote.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (words, []) = bytes.as_chunks::<8>() else { return None };
        let &[cell, seed, start, end] = words else { return None };
        let [cell, seed, start, end] = [cell, seed, start, end].map(u64::from_le_bytes);
        let byte = |place: u32| usize::try_from(cell >> (8 * place) & 255).ok();
        let cell = Cell {
            ai_type: *AiType::ALL.get(byte(0)?)?,
            ais: byte(1).filter(|ais| (2..=5).contains(ais))?,
            seated: *[Seated::Nobody, Seated::Person].get(byte(2)?)?,
            asking: *[Asking::Cyclic, Asking::Lowest].get(byte(3)?)?,
        };
        Some(Self { cell, seed, games: start..end })
    }
}
