use crate::lines::{Lines, Span, Word};
use crate::{Position, Vertex};

impl Position {
    /// Counts the sequences of `depth` legal moves, without listing the last ply.
    pub fn perft(&self, depth: u32) -> u64 {
        let side = self.side_to_move();
        let mut walker = Walker {
            lines: self.board().lines(),
            lines_meet_once: self.board().lines_meet_once(),
            words: self.words().to_vec(),
            queens: [self.queens(side).to_vec(), self.queens(side.opposite()).to_vec()],
        };
        walker.count(depth, 0)
    }
}

/// A position that is walked in place: changes in a subtree are undone.
struct Walker<'a> {
    lines: &'a Lines,
    lines_meet_once: bool,
    words: Vec<Word>,
    queens: [Vec<Vertex>; 2],
}

impl Walker<'_> {
    fn count(&mut self, depth: u32, side: usize) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_moves(side),
            _ => (0..self.queens[side].len()).map(|queen| self.count_below(depth, side, queen)).sum(),
        }
    }

    fn count_below(&mut self, depth: u32, side: usize, queen: usize) -> u64 {
        let lines = self.lines;
        let from = self.queens[side][queen];
        let mut nodes = 0;
        lines.toggle(&mut self.words, from);
        let steps = lines.spans(&self.words, from);
        for (step, from_place) in steps.into_iter().zip(lines.places(from)) {
            for to in lines.others(step, from_place) {
                let shots = lines.spans(&self.words, to);
                lines.toggle(&mut self.words, to);
                self.queens[side][queen] = to;
                for (shot, to_place) in shots.into_iter().zip(lines.places(to)) {
                    for arrow in lines.others(shot, to_place) {
                        lines.toggle(&mut self.words, arrow);
                        nodes += self.count(depth - 1, 1 - side);
                        lines.toggle(&mut self.words, arrow);
                    }
                }
                lines.toggle(&mut self.words, to);
            }
        }
        self.queens[side][queen] = from;
        lines.toggle(&mut self.words, from);
        nodes
    }

    fn count_moves(&mut self, side: usize) -> u64 {
        let mut moves = 0;
        for queen in 0..self.queens[side].len() {
            let from = self.queens[side][queen];
            self.lift(from);
            let [a, b, c, d] = self.lines.spans(&self.words, from);
            let [at_a, at_b, at_c, at_d] = self.lines.places(from);
            moves += self.count_along::<0>(a, at_a) + self.count_along::<1>(b, at_b);
            moves += self.count_along::<2>(c, at_c) + self.count_along::<3>(d, at_d);
            self.lift(from);
        }
        moves
    }

    /// Removes a queen, or puts it back, where a target might see its origin along a line other than its own.
    fn lift(&mut self, queen: Vertex) {
        if !self.lines_meet_once {
            self.lines.toggle(&mut self.words, queen);
        }
    }

    /// Counts the moves of a queen that slides along one axis.
    #[inline]
    fn count_along<const AXIS: usize>(&self, step: Span, place: u32) -> u64 {
        // Along the queen's own line every target sees what the queen saw.
        let mut moves = u64::from(step.len()) * u64::from(step.len());
        for to in self.lines.others(step, place) {
            moves += u64::from(self.lines.count_across::<AXIS>(&self.words, to));
        }
        moves
    }
}
