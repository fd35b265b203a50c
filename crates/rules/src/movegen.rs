use std::ops::Deref;

use crate::lines::Word;
use crate::{Move, Position};

/// A buffer of moves that keeps its memory between positions.
#[derive(Clone, Debug, Default)]
pub struct MoveList {
    moves: Vec<Move>,
    /// The position's bits, with the moving queen lifted.
    words: Vec<Word>,
}

impl MoveList {
    /// Makes an empty buffer.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.moves
    }
}

impl From<MoveList> for Vec<Move> {
    fn from(list: MoveList) -> Self {
        list.moves
    }
}

impl Position {
    /// Fills the list with all legal moves, queen by queen, in an order that depends only on the position.
    pub fn legal_moves(&self, list: &mut MoveList) {
        let lines = self.board().lines();
        list.moves.clear();
        list.words.clear();
        list.words.extend_from_slice(self.words());
        for &from in self.queens(self.side_to_move()) {
            lines.toggle(&mut list.words, from);
            for (step, from_place) in lines.spans(&list.words, from).into_iter().zip(lines.places(from)) {
                for to in lines.others(step, from_place) {
                    let [a, b, c, d] = lines.spans(&list.words, to);
                    let [at_a, at_b, at_c, at_d] = lines.places(to);
                    // One iterator of known length: space for all arrows is reserved once.
                    let arrows = (lines.others(a, at_a).chain(lines.others(b, at_b)))
                        .chain(lines.others(c, at_c).chain(lines.others(d, at_d)));
                    list.moves.extend(arrows.map(|arrow| Move { from, to, arrow }));
                }
            }
            lines.toggle(&mut list.words, from);
        }
    }
}
