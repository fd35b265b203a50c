use amazons_rules::Step;

use crate::Weights;
use crate::classes::{CLASSES, KING, KING_CLASSES, KING_TIE, LIBERTY, MOBILITY, QUEEN, QUEEN_CLASSES, QUEEN_TIE, pair};

/// The numbers that the evaluation weighs, for the player to move, or while an arrow is due for the player who stepped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features {
    /// The number of members of each class, of the player to move and of the opponent.
    pub(crate) counts: [[u32; 2]; CLASSES],
    /// The sum of 2^-|D1 - D2| over the vertices that both sides reach, in 1/16 vertex; queen distances over 5 count as
    /// 5.
    pub openness: u32,
    /// The numbers of vertices that only the player to move reaches, and only the opponent.
    pub own_only: [u32; 2],
    /// The number of free vertices.
    pub free: u32,
    /// The half of a move that is due.
    pub due: Step,
}

impl Features {
    /// Returns how many vertices have these classes of queen distance from the player to move and from the opponent.
    ///
    /// Class 0 is distance 1, class 4 is 5 or more, class 5 unreachable; vertices that neither reaches are not counted.
    /// Panics when a class is over 5.
    #[must_use]
    pub const fn queen(&self, mover: usize, opponent: usize) -> u32 {
        self.at(QUEEN, QUEEN_TIE, QUEEN_CLASSES, mover, opponent)
    }

    /// Returns how many vertices have these classes of king distance from the player to move and from the opponent.
    ///
    /// Class 0 is distance 1, class 6 is 7 or more, class 7 unreachable; vertices that neither reaches are not counted.
    /// Panics when a class is over 7.
    #[must_use]
    pub const fn king(&self, mover: usize, opponent: usize) -> u32 {
        self.at(KING, KING_TIE, KING_CLASSES, mover, opponent)
    }

    const fn at(&self, pairs: usize, ties: usize, classes: usize, mover: usize, opponent: usize) -> u32 {
        assert!(mover < classes && opponent < classes, "no such class");
        if mover < opponent {
            self.counts[pairs + pair(classes, mover, opponent)][0]
        } else if opponent < mover {
            self.counts[pairs + pair(classes, opponent, mover)][1]
        } else if mover + 1 < classes {
            self.counts[ties + mover][0]
        } else {
            0
        }
    }

    /// Returns how many queens with that many free neighbours the player to move has, and the opponent.
    /// Panics when the number is over 8.
    #[must_use]
    pub const fn liberties(&self, neighbors: usize) -> [u32; 2] {
        assert!(neighbors <= 8, "a vertex has up to 8 neighbours");
        self.counts[LIBERTY + neighbors]
    }

    /// Returns how many vertices one queen move away, with that many free neighbours and within the other side's reach,
    /// the player to move has, and the opponent. Panics when the number is over 8.
    #[must_use]
    pub const fn mobility(&self, neighbors: usize) -> [u32; 2] {
        assert!(neighbors <= 8, "a vertex has up to 8 neighbours");
        self.counts[MOBILITY + neighbors]
    }

    /// Returns the factor of each weight, in the order of [`Weights::names`].
    #[must_use]
    pub fn inputs(&self) -> [i32; Weights::COUNT] {
        let mut inputs = [0; Weights::COUNT];
        for class in 0..=CLASSES {
            inputs[Weights::input(class, self.due)] += self.input(class);
        }
        inputs
    }

    /// Returns the phase, 0 for closed to 1 for open.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "boards have fewer vertices than a float counts exactly")]
    pub fn phase(&self) -> f32 {
        if self.free == 0 { 0.0 } else { self.openness as f32 / (16 * self.free) as f32 }
    }

    pub(crate) const fn input(&self, class: usize) -> i32 {
        match class {
            CLASSES => 1,
            QUEEN_TIE..KING | KING_TIE..LIBERTY => self.counts[class][0].cast_signed(),
            _ => self.counts[class][0].cast_signed() - self.counts[class][1].cast_signed(),
        }
    }
}
