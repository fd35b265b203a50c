//! Connect 4 for the searches of `amazons-search`.

use amazons_search::{Evaluator, Game};

use crate::geometry::{AnySize, Geometry};
use crate::{Ending, Position, Side};

impl Game for Position {
    /// A column, counted from 0.
    type Move = u32;

    fn pack(column: u32) -> u32 {
        column
    }

    fn unpack(packed: u32) -> u32 {
        packed
    }

    fn turn(&self) -> Side {
        Self::turn(self)
    }

    fn moves(&self, columns: &mut Vec<u32>) {
        columns.clear();
        columns.extend(self.columns());
    }

    fn play(&mut self, column: u32) {
        self.play_free(column);
    }

    fn undo(&mut self, column: u32) {
        self.take_back(column);
    }

    fn outcome(&self) -> Option<Ending> {
        self.ending()
    }

    fn key(&self) -> u64 {
        // Side and stones follow from it: the number of stones tells who moves.
        mixed(self.own() + self.stones() + AnySize::new(self.size()).bottom())
    }
}

/// Spreads similar numbers over all bits, each number to its own: David Stafford's 13th mix.
const fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

/// Counts the lines of four that a side can still fill, those with more stones for more.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenLines;

impl Evaluator<Position> for OpenLines {
    fn evaluate(&mut self, position: &Position) -> f32 {
        let geometry = AnySize::new(position.size());
        let (own, other) = (position.own(), position.own() ^ position.stones());
        let side = position.turn().sign();
        let lead = weigh(geometry, own, other) - weigh(geometry, other, own);
        // Far from the ends, which are proofs.
        side * (lead / (32.0 + lead.abs())) * 0.98
    }
}

/// Adds up the lines without a stone of the other side: 1, 2 and 4 for one, two and three own stones.
fn weigh(geometry: AnySize, own: u64, other: u64) -> f32 {
    let step = geometry.step();
    let free = geometry.cells() & !other;
    let mut sum = 0;
    for by in [1, step - 1, step, step + 1] {
        let cells = |bits: u64| [bits, bits >> by, bits >> (2 * by), bits >> (3 * by)];
        let open = cells(free).into_iter().fold(u64::MAX, |all, bits| all & bits);
        let [first, second, third, fourth] = cells(own).map(|bits| bits & open);
        // A binary sum for each line: how many of its cells are own.
        let (low, carry) = (first ^ second, first & second);
        let (low2, carry2) = (third ^ fourth, third & fourth);
        let ones = low ^ low2;
        let twos = carry ^ carry2 ^ (low & low2);
        sum += (ones & !twos).count_ones() + 2 * (twos & !ones).count_ones() + 4 * (ones & twos).count_ones();
    }
    sum as f32
}
