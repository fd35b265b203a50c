use crate::geometry::{AnySize, Geometry};
use crate::{Position, Size};

/// A position early in a game that is not over; it stands for its mirror image, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    pub position: Position,
    /// Unique among the openings of its size.
    pub key: u64,
}

impl Opening {
    /// Takes the position or its mirror image, whichever has the lower key.
    pub fn new(position: Position) -> Self {
        let key = |position: &Position| position.own() + position.stones();
        let mirrored = position.mirrored();
        let position = if key(&mirrored) < key(&position) { mirrored } else { position };
        Self { position, key: key(&position) }
    }

    /// Returns 2 for a position and its mirror image, 1 if they are the same.
    pub fn weight(&self) -> usize {
        if self.position == self.position.mirrored() { 1 } else { 2 }
    }

    pub fn wins_at_once(&self) -> bool {
        self.has_win(self.position.own())
    }

    /// Returns whether neither side could win with a stone now.
    pub fn is_quiet(&self) -> bool {
        let (own, stones) = (self.position.own(), self.position.stones());
        !self.has_win(own) && !self.has_win(own ^ stones)
    }

    fn has_win(&self, own: u64) -> bool {
        let (geometry, stones) = (AnySize::new(self.position.size()), self.position.stones());
        geometry.fours(own, stones) & geometry.playable(stones) != 0
    }
}

/// Returns all positions after that many plies whose game is not over, of mirror images only one, by ascending key.
pub fn openings(size: Size, plies: u32) -> Vec<Opening> {
    let mut layer = vec![Opening::new(Position::empty(size))];
    for _ in 0..plies {
        let mut next: Vec<Opening> = layer.iter().flat_map(successors).collect();
        next.sort_unstable_by_key(|opening| opening.key);
        next.dedup();
        layer = next;
    }
    layer
}

/// Returns the openings whose scores a book has: those where the side to move does not win at once.
pub fn scored(size: Size, plies: u32) -> Vec<Opening> {
    openings(size, plies).into_iter().filter(|it| !it.wins_at_once()).collect()
}

fn successors(opening: &Opening) -> impl Iterator<Item = Opening> + use<> {
    let position = opening.position;
    let next = position.columns().map(move |column| position.after(column));
    next.filter(|next| next.ending().is_none()).map(Opening::new)
}
