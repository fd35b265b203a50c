use amazons_rules::Step;

use crate::evaluate::Evaluate;
use crate::evaluation::Evaluation;
use crate::half_move::HalfMove;
use crate::moves::Blocked;
use crate::simd::{Layout, Sets, Task};
use crate::state::State;
use crate::table::EvalTable;

/// Evaluates the states after several half-moves; states in which the player to move is blocked have no value.
pub(crate) struct EvaluateChildren<'a, L> {
    pub(crate) state: &'a State<L>,
    pub(crate) halves: &'a [HalfMove],
    pub(crate) table: &'a EvalTable,
    pub(crate) evaluations: &'a mut Vec<Option<Evaluation>>,
}

/// States written before the first is read: a vector load stalls right after narrower stores to its bytes.
const BATCH: usize = 8;

impl<L: Layout> Task<L> for EvaluateChildren<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<S: Sets<Layout = L>>(self) {
        self.evaluations.reserve(self.halves.len());
        let mut children = [*self.state; BATCH];
        for halves in self.halves.chunks(BATCH) {
            for (child, &half) in children.iter_mut().zip(halves) {
                *child = self.state.after(half);
            }
            for state in &children[..halves.len()] {
                let is_blocked = state.due() == Step::Queen && Blocked(state).run::<S>();
                let evaluate = Evaluate { state, table: self.table };
                self.evaluations.push(if is_blocked { None } else { Some(evaluate.run::<S>()) });
            }
        }
    }
}
