use crate::Player;

/// Below every killer's rank, whatever the history.
const HISTORY_CAP: i32 = 1 << 15;
/// Maximum bonus of a cutoff; its product with the cap fits.
const BONUS_CAP: i32 = 1 << 14;
const HISTORY_BITS: u32 = 14;

/// The move order suggested by earlier cut-offs.
#[derive(Debug)]
pub(super) struct Order {
    /// By ply: the last two moves that cut off there.
    killers: Vec<[Option<u32>; 2]>,
    /// By player and hash of the packed move: the move's success.
    history: [Vec<i32>; 2],
}

impl Order {
    pub(super) fn new() -> Self {
        Self { killers: Vec::new(), history: [0, 1].map(|_| vec![0; 1 << HISTORY_BITS]) }
    }

    /// Forgets the killers, whose plies count from the root, and halves the history.
    pub(super) fn age(&mut self) {
        self.killers.clear();
        self.history.iter_mut().flatten().for_each(|count| *count /= 2);
    }

    /// A rank for a move without an evaluation: killers first, then by history.
    #[inline]
    pub(super) fn rank(&self, player: Player, ply: u8, packed: u32) -> i32 {
        match self.killers.get(usize::from(ply)) {
            Some([Some(latest), _]) if *latest == packed => HISTORY_CAP + 2,
            Some([_, Some(older)]) if *older == packed => HISTORY_CAP + 1,
            _ => self.history[player as usize][slot(packed)],
        }
    }

    /// Notes that `cut` refuted a position and that the moves before it did not.
    pub(super) fn cut_off(&mut self, player: Player, ply: u8, depth: u8, cut: u32, before: impl Iterator<Item = u32>) {
        let ply = usize::from(ply);
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(cut) {
            *killers = [Some(cut), killers[0]];
        }
        let bonus = (i32::from(depth) * i32::from(depth)).min(BONUS_CAP);
        let history = &mut self.history[player as usize];
        // The closer a count is to the cap, the less a bonus adds, so counts never exceed it.
        let mut add = |packed: u32, bonus: i32| {
            let count = &mut history[slot(packed)];
            *count += bonus - *count * bonus.abs() / HISTORY_CAP;
        };
        add(cut, bonus);
        before.for_each(|packed| add(packed, -bonus));
    }
}

/// Fibonacci hashing of a packed move.
#[inline]
fn slot(packed: u32) -> usize {
    (packed.wrapping_mul(0x9E37_79B9) >> (u32::BITS - HISTORY_BITS)) as usize
}
