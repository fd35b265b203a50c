use amazons_search::{Game, Outcome, Player};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::slow;

/// Nim whose turn is two moves, as in Amazons: name a heap, then a number to take; the last taker wins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Nim {
    heaps: [u8; 3],
    named: Option<u8>,
    turn: Player,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NimMove {
    Name(u8),
    /// That many from this heap.
    Take(u8, u8),
}

impl Nim {
    pub(super) fn random(rng: &mut Xoshiro256PlusPlus, most: u8) -> Self {
        let heaps = [(); 3].map(|()| rng.random_range(0..=most));
        Self { heaps, named: None, turn: if rng.random() { Player::First } else { Player::Second } }
    }

    /// The winner by Bouton's theorem, between turns.
    pub(super) fn winner(&self) -> Player {
        let sum = self.heaps.iter().fold(0, |sum, heap| sum ^ heap);
        if sum == 0 { self.turn.opponent() } else { self.turn }
    }
}

impl Game for Nim {
    type Move = NimMove;

    fn pack(mv: NimMove) -> u32 {
        match mv {
            NimMove::Name(heap) => heap.into(),
            NimMove::Take(heap, count) => u32::from(count) << 8 | u32::from(heap),
        }
    }

    fn unpack(packed: u32) -> NimMove {
        let (heap, count) = ((packed & 255) as u8, (packed >> 8) as u8);
        if count == 0 { NimMove::Name(heap) } else { NimMove::Take(heap, count) }
    }

    fn turn(&self) -> Player {
        self.turn
    }

    fn moves(&self, moves: &mut Vec<NimMove>) {
        moves.clear();
        match self.named {
            None => {
                let heaps = (0..).zip(self.heaps).filter(|&(_, size)| size > 0);
                moves.extend(heaps.map(|(heap, _)| NimMove::Name(heap)));
            }
            Some(heap) => moves.extend((1..=self.heaps[usize::from(heap)]).map(|count| NimMove::Take(heap, count))),
        }
    }

    fn play(&mut self, mv: NimMove) {
        match mv {
            NimMove::Name(heap) => self.named = Some(heap),
            NimMove::Take(heap, count) => {
                self.heaps[usize::from(heap)] -= count;
                self.named = None;
                self.turn = self.turn.opponent();
            }
        }
    }

    fn undo(&mut self, mv: NimMove) {
        match mv {
            NimMove::Name(_) => self.named = None,
            NimMove::Take(heap, count) => {
                self.heaps[usize::from(heap)] += count;
                self.named = Some(heap);
                self.turn = self.turn.opponent();
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.heaps == [0; 3]).then_some(Outcome::Win(self.turn.opponent()))
    }

    fn key(&self) -> u64 {
        let [a, b, c] = self.heaps.map(u64::from);
        let named = self.named.map_or(0, |heap| u64::from(heap) + 1);
        slow::mix(a | b << 8 | c << 16 | named << 24 | (self.turn as u64) << 32)
    }
}
