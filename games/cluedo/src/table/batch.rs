use std::ops::Range;

use crate::game::Asking;
use crate::table::seats::{AiType, LineUp};
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
    pub fn play(&self) -> Tally {
        self.cell.play(self.seed, self.games.clone())
    }

    /// Writes it as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Cell { ais, seated, asking } = self.cell;
        let mut cell = [u8::MAX; 8];
        (cell[0], cell[1]) = (seated as u8, asking as u8);
        for (place, &ai_type) in cell[2..].iter_mut().zip(ais.types()) {
            *place = ai_type as u8;
        }
        [u64::from_le_bytes(cell), self.seed, self.games.start, self.games.end]
            .into_iter()
            .flat_map(u64::to_le_bytes)
            .collect()
    }

    /// Reads what [`Batch::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (words, []) = bytes.as_chunks::<8>() else { return None };
        let &[cell, seed, start, end] = words else { return None };
        let [cell, seed, start, end] = [cell, seed, start, end].map(u64::from_le_bytes);
        let [seated, asking, types @ ..] = cell.to_le_bytes();
        let types = types.into_iter().take_while(|&ai_type| ai_type != u8::MAX);
        let types = types.map(|ai_type| AiType::ALL.get(usize::from(ai_type)).copied()).collect::<Option<Vec<_>>>();
        let cell = Cell {
            ais: LineUp::new(&types?)?,
            seated: *[Seated::Nobody, Seated::Person].get(usize::from(seated))?,
            asking: *[Asking::Cyclic, Asking::Lowest].get(usize::from(asking))?,
        };
        Some(Self { cell, seed, games: start..end })
    }
}
