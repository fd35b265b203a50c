use amazons_search::{Game, Outcome, Player};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::slow;

/// Boxes of a row; there are two rows.
const COLUMNS: u32 = 2;
const EDGES: u32 = 12;
/// The four edges of each box: 0..6 are level, in three rows; 6..12 upright, in two.
const BOXES: [u32; 4] = [edges(0, 0), edges(0, 1), edges(1, 0), edges(1, 1)];

const fn edges(row: u32, column: u32) -> u32 {
    let upright = 6 + row * (COLUMNS + 1) + column;
    1 << (row * COLUMNS + column) | 1 << ((row + 1) * COLUMNS + column) | 1 << upright | 1 << (upright + 1)
}

/// Dots and boxes, 2x2: closing a box wins it and another turn; draws are frequent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Boxes {
    drawn: u32,
    turn: Player,
    /// First's boxes less Second's.
    lead: i32,
}

impl Boxes {
    /// A position with that many edges left, the others drawn at random and worth nothing.
    pub(super) fn random(rng: &mut Xoshiro256PlusPlus, left: u32) -> Self {
        let mut drawn = 0_u32;
        while drawn.count_ones() < EDGES - left {
            drawn |= 1 << rng.random_range(0..EDGES);
        }
        Self { drawn, turn: if rng.random() { Player::First } else { Player::Second }, lead: 0 }
    }

    /// Boxes that have this edge and are closed.
    fn closed_at(&self, edge: u32) -> i32 {
        let closed = |&&cell: &&u32| cell >> edge & 1 == 1 && self.drawn & cell == cell;
        BOXES.iter().filter(closed).count() as i32
    }
}

impl Game for Boxes {
    /// The edge drawn.
    type Move = u8;

    fn pack(mv: u8) -> u32 {
        mv.into()
    }

    fn unpack(packed: u32) -> u8 {
        packed as u8
    }

    fn turn(&self) -> Player {
        self.turn
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        moves.extend((0..EDGES as u8).filter(|edge| self.drawn >> edge & 1 == 0));
    }

    fn play(&mut self, mv: u8) {
        self.drawn |= 1 << mv;
        match self.closed_at(mv.into()) {
            0 => self.turn = self.turn.opponent(),
            closed => self.lead += closed * self.turn.sign() as i32,
        }
    }

    fn undo(&mut self, mv: u8) {
        match self.closed_at(mv.into()) {
            0 => self.turn = self.turn.opponent(),
            closed => self.lead -= closed * self.turn.sign() as i32,
        }
        self.drawn &= !(1 << mv);
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.drawn != (1 << EDGES) - 1 {
            return None;
        }
        Some(match self.lead {
            0 => Outcome::Draw,
            lead if lead > 0 => Outcome::Win(Player::First),
            _ => Outcome::Win(Player::Second),
        })
    }

    fn key(&self) -> u64 {
        slow::mix(u64::from(self.drawn) | ((self.lead + 8) as u64) << 32 | (self.turn as u64) << 40)
    }
}
