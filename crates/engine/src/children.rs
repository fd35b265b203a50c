use amazons_rules::Step;

use crate::evaluate::{evaluate, load};
use crate::evaluation::Evaluation;
use crate::half_move::HalfMove;
use crate::scan::king_moves;
use crate::simd::{Layout, Sets, Task};
use crate::state::{State, toggle};
use crate::table::EvalTable;

/// Evaluates the states after several half-moves; states in which the player to move is blocked have no value.
pub(crate) struct EvaluateChildren<'a, L> {
    pub(crate) state: &'a State<L>,
    pub(crate) halves: &'a [HalfMove],
    pub(crate) table: &'a EvalTable,
    pub(crate) evaluations: &'a mut Vec<Option<Evaluation>>,
}

/// Changes written before the first is read: a vector load stalls right after narrower stores to its bytes.
const BATCH: usize = 8;

impl<L: Layout> Task<L> for EvaluateChildren<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<S: Sets<Layout = L>>(self) {
        let Self { state, halves, table, evaluations } = self;
        let (free, mut queens) = load::<S>(state);
        let free_of_next = S::pair(&state.free, &L::EMPTY);
        let (due, taken) = match state.due() {
            Step::Queen => (Step::Arrow, 0),
            Step::Arrow => {
                queens = queens.swap();
                (Step::Queen, 1)
            }
        };
        evaluations.reserve(halves.len());
        for halves in halves.chunks(BATCH) {
            let mut changes = [L::EMPTY; BATCH];
            for (change, half) in changes.iter_mut().zip(halves) {
                toggle(change, half.to);
                if due == Step::Arrow {
                    toggle(change, half.from);
                }
            }
            for change in &changes[..halves.len()] {
                let (both, mover) = (S::pair(change, change), S::pair(change, &L::EMPTY));
                let (free, mut queens, mut is_blocked) = (free.xor(both), queens, false);
                match due {
                    Step::Queen => is_blocked = king_moves(queens, free_of_next.xor(mover)).is_empty(),
                    Step::Arrow => queens = queens.xor(mover),
                }
                evaluations.push(if is_blocked {
                    None
                } else {
                    Some(evaluate(free, queens, (due, state.free_count - taken), table))
                });
            }
        }
    }
}
