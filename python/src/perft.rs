use amazons_rules::{Move, MoveList, Position};

/// A count of moves that stops after every step.
#[derive(Debug)]
pub(crate) struct Perft {
    position: Position,
    /// The moves that led here, and for each depth the list that they come from and the place in it.
    played: Vec<Move>,
    frames: Vec<(MoveList, usize)>,
    depth: u32,
    leaves: u64,
}

impl Perft {
    /// Prepares the count of the sequences of `depth` legal moves.
    pub(crate) const fn new(position: Position, depth: u32) -> Self {
        Self { position, played: Vec::new(), frames: Vec::new(), depth, leaves: 0 }
    }

    /// Counts below one position whose moves need no list; returns the sum at the end.
    pub(crate) fn step(&mut self) -> Option<u64> {
        let below = self.depth - u32::try_from(self.played.len()).unwrap_or(self.depth);
        if below <= 1 {
            self.leaves += self.position.perft(below);
        } else if self.frames.len() == self.played.len() {
            let mut list = MoveList::new();
            self.position.legal_moves(&mut list);
            self.frames.push((list, 0));
        }
        self.advance()
    }

    /// Goes on to the next position of the walk; returns the sum when there is none.
    fn advance(&mut self) -> Option<u64> {
        if self.frames.len() == self.played.len() && !self.back() {
            return Some(self.leaves);
        }
        loop {
            let (list, next) = self.frames.last_mut()?;
            if let Some(&mv) = list.get(*next) {
                *next += 1;
                self.position.play_unchecked(mv);
                self.played.push(mv);
                return None;
            }
            self.frames.pop();
            if !self.back() {
                return Some(self.leaves);
            }
        }
    }

    /// Takes the last move back; returns whether there was one.
    fn back(&mut self) -> bool {
        let Some(mv) = self.played.pop() else { return false };
        self.position.undo(mv);
        true
    }
}
