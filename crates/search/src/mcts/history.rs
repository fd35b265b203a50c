use crate::Player;

/// The gains of moves: their values less those of the positions where they were judged, for the mover, averaged so that
/// later ones count more.
///
/// A move gains about the same in many positions of one game, so this tells which moves are worth judging.
#[derive(Clone, Debug)]
pub(super) struct History {
    entries: Box<[Entry]>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    mean: f32,
    count: f32,
}

/// The number of entries, as a power of two; moves that share one by chance do little harm.
const BITS: u32 = 16;
/// The number of judgements that a mean remembers.
const MEMORY: f32 = 16.0;

impl History {
    pub(super) fn new() -> Self {
        Self { entries: vec![Entry::default(); 1 << BITS].into_boxed_slice() }
    }

    /// Forgets all moves.
    pub(super) fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    /// Returns how much better than its position a move was for the mover; `None` if it was never judged.
    #[inline]
    pub(super) fn gain(&self, packed: u32, turn: Player) -> Option<f32> {
        let Entry { mean, count } = self.entries[index(packed, turn)];
        (count > 0.0).then_some(mean)
    }

    /// Remembers how much better than its position a move is.
    #[inline]
    pub(super) fn learn(&mut self, packed: u32, turn: Player, gain: f32) {
        let entry = &mut self.entries[index(packed, turn)];
        entry.count = (entry.count + 1.0).min(MEMORY);
        entry.mean += (gain - entry.mean) / entry.count;
    }
}

fn index(packed: u32, turn: Player) -> usize {
    let mixed = (packed << 1 | u32::from(turn == Player::Second)).wrapping_mul(0x9E37_79B1);
    (mixed >> (u32::BITS - BITS)) as usize
}
