use crate::evaluate::{count, load};
use crate::flood::QueenFill;
use crate::half_move::HalfMove;
use crate::scan::{king_moves, reached};
use crate::simd::{Layout, Sets, Task};
use crate::state::{State, cells, toggle};

/// Adds the half-moves that are due, for two queens at a time.
pub(crate) struct Moves<'a, L> {
    pub(crate) state: &'a State<L>,
    pub(crate) moves: &'a mut Vec<HalfMove>,
}

impl<L: Layout> Task<L> for Moves<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<S: Sets<Layout = L>>(self) {
        let (state, half) = (self.state, self.state.due());
        let free = S::pair(&state.free, &state.free);
        let fill = QueenFill::new(free);
        let mut shooter = L::EMPTY;
        let movers = match state.shooter {
            None => state.queens_of_mover_first()[0],
            Some(cell) => {
                toggle(&mut shooter, cell);
                &shooter
            }
        };
        let mut movers = cells(movers);
        while let Some(first) = movers.next() {
            let second = movers.next();
            let (mut first_set, mut second_set) = (L::EMPTY, L::EMPTY);
            toggle(&mut first_set, first);
            if let Some(second) = second {
                toggle(&mut second_set, second);
            }
            let targets = fill.fill(S::pair(&first_set, &second_set)).and(free);
            let [of_first, of_second] = targets.unpair();
            self.moves.extend(cells(&of_first).map(|to| HalfMove { half, from: first, to }));
            if let Some(from) = second {
                self.moves.extend(cells(&of_second).map(|to| HalfMove { half, from, to }));
            }
        }
    }
}

/// Returns whether the player to move cannot step.
pub(crate) struct Blocked<'a, L>(pub(crate) &'a State<L>);

impl<L: Layout> Task<L> for Blocked<'_, L> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Sets<Layout = L>>(self) -> bool {
        let free = S::pair(&self.0.free, &self.0.free);
        let queens = S::pair(self.0.queens_of_mover_first()[0], &L::EMPTY);
        king_moves(queens, free).is_empty()
    }
}

/// Counts both sides' vertices if none is in reach of both.
pub(crate) struct Decide<'a, L>(pub(crate) &'a State<L>);

impl<L: Layout> Task<L> for Decide<'_, L> {
    type Output = Option<[u32; 2]>;

    #[inline(always)]
    fn run<S: Sets<Layout = L>>(self) -> Self::Output {
        let (free, mut frontier) = load::<S>(self.0);
        let mut reach = free.without(free);
        loop {
            frontier = king_moves(frontier, free).without(reach);
            reach = reach.or(frontier);
            if frontier.is_empty() {
                break;
            }
            if !reach.and(reach.swap()).is_empty() {
                return None;
            }
        }
        Some(count(reach))
    }
}

/// Compares one side's lead in vertices of its own with the number that both reach.
pub(crate) struct Countable<'a, L>(pub(crate) &'a State<L>);

impl<L: Layout> Task<L> for Countable<'_, L> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Sets<Layout = L>>(self) -> bool {
        let (free, queens) = load::<S>(self.0);
        let reach = reached(queens, free.without(free), free);
        let ([mover, opponent], [shared, _]) = (count(reach), count(reach.and(reach.swap())));
        // Vertices in reach of both cancel out in the difference.
        shared <= mover.abs_diff(opponent)
    }
}
