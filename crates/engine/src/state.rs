use amazons_rules::{Color, Step};

use crate::half_move::{Cell, HalfMove};
use crate::simd::{Layout, Word};
use crate::zobrist::Part;

/// A state on a grid: a few rows of bits that can be copied as they are.
///
/// Cells are numbered row * side of the layout + column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<L> {
    pub(crate) free: L,
    /// Black's, then White's.
    pub(crate) queens: [L; 2],
    pub(crate) key: u64,
    pub(crate) free_count: u32,
    /// The cell of the queen that must shoot.
    pub(crate) shooter: Option<Cell>,
    pub(crate) side_to_move: Color,
}

impl<L: Layout> State<L> {
    pub(crate) const fn due(&self) -> Step {
        if self.shooter.is_some() { Step::Arrow } else { Step::Queen }
    }

    #[inline(always)]
    pub(crate) const fn queens_of_mover_first(&self) -> [&L; 2] {
        let [black, white] = &self.queens;
        match self.side_to_move {
            Color::Black => [black, white],
            Color::White => [white, black],
        }
    }

    #[inline]
    pub(crate) fn play(&mut self, HalfMove { half, from, to }: HalfMove) {
        match half {
            Step::Queen => {
                self.slide(from, to);
                self.set_shooter(Some(to));
            }
            Step::Arrow => {
                self.set_shooter(None);
                self.toggle_arrow(to);
                self.free_count -= 1;
            }
        }
    }

    #[inline]
    pub(crate) fn undo(&mut self, HalfMove { half, from, to }: HalfMove) {
        match half {
            Step::Queen => {
                self.set_shooter(None);
                self.slide(to, from);
            }
            Step::Arrow => {
                self.toggle_arrow(to);
                self.free_count += 1;
                self.set_shooter(Some(from));
            }
        }
    }

    fn slide(&mut self, from: Cell, to: Cell) {
        let queens = &mut self.queens[self.side_to_move.index()];
        for cell in [from, to] {
            toggle(queens, cell);
            toggle(&mut self.free, cell);
            self.key ^= Part::Queen(self.side_to_move, cell).key();
        }
    }

    fn toggle_arrow(&mut self, arrow: Cell) {
        toggle(&mut self.free, arrow);
        self.side_to_move = self.side_to_move.opposite();
        self.key ^= Part::Arrow(arrow).key() ^ Part::WhiteToMove.key();
    }

    fn set_shooter(&mut self, shooter: Option<Cell>) {
        for cell in [self.shooter, shooter].into_iter().flatten() {
            self.key ^= Part::Shooter(cell).key();
        }
        self.shooter = shooter;
    }
}

#[inline(always)]
pub(crate) fn toggle<L: Layout>(set: &mut L, cell: Cell) {
    let row = &mut set.rows_mut()[(cell / L::SIDE) as usize];
    *row = *row ^ L::Word::bit(cell % L::SIDE);
}

/// Returns the cells of a set in ascending order.
#[inline]
pub(crate) fn cells<L: Layout>(set: &L) -> impl Iterator<Item = Cell> + '_ {
    (0..).step_by(L::SIDE as usize).zip(set.rows()).flat_map(|(first, &row)| {
        let mut rest = row;
        std::iter::from_fn(move || {
            let (column, others) = rest.pop()?;
            rest = others;
            Some(first + column)
        })
    })
}
