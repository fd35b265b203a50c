//! The evaluation of states, as tasks that run on each layout of bits.

use amazons_rules::Step;

use crate::Network;
use crate::classes::CLASSES;
use crate::evaluation::Evaluation;
use crate::features::Features;
use crate::layer::{Counts as Counts8, EIGHT, inputs};
use crate::network::score;
use crate::scan::{Scan, Sink};
use crate::simd::{Layout, Sets, Task, Weight};
use crate::state::State;
use crate::table::{EvalTable, Model, Row};

/// Loads a state as sets: the free cells and the queens, those of the player to move first.
#[inline(always)]
pub(crate) fn load<S: Sets>(state: &State<S::Layout>) -> (S, S) {
    let [mover, opponent] = state.queens_of_mover_first();
    (S::pair(&state.free, &state.free), S::pair(mover, opponent))
}

/// Evaluates a state.
pub(crate) struct Evaluate<'a, L> {
    pub(crate) state: &'a State<L>,
    pub(crate) table: &'a EvalTable,
}

impl<L: Layout> Task<L> for Evaluate<'_, L> {
    type Output = Evaluation;

    #[inline(always)]
    fn run<S: Sets<Layout = L>>(self) -> Evaluation {
        let (free, queens) = load::<S>(self.state);
        evaluate(free, queens, (self.state.due(), self.state.free_count), self.table)
    }
}

/// Evaluates sets; with the half of a move that is due and the number of free vertices.
#[inline(always)]
pub(crate) fn evaluate<S: Sets>(free: S, queens: S, (due, count): (Step, u32), table: &EvalTable) -> Evaluation {
    let scan = Scan::new(free, queens);
    let (openness, own_only) = scan.openness_and_own();
    let score = match table.model(due, openness, count) {
        Model::Linear(weights) => {
            let mut sums = Weigh { weights, sides: S::zero(), ties: S::zero() };
            scan.classes(&mut sums);
            let [sides, ties] = S::totals([sums.sides, sums.ties]);
            sides[0] - sides[1] + ties[0] + weights[CLASSES].get()
        }
        Model::Network(_, layer) => {
            let mut tallies = Tallies { counts: [[[0; EIGHT]; 2]; _], tally: S::no_tally() };
            scan.network_classes(&mut tallies);
            let sums = S::sums(layer, &inputs(&tallies.finish()));
            score(layer.judge(due, &sums, layer.outputs(openness, count)))
        }
    };
    Evaluation { score, openness, own_only }
}

/// Counts the members of the network's classes, eight at a time.
struct Tallies<S: Sets> {
    counts: Counts8,
    tally: S::Tally,
}

impl<S: Sets> Tallies<S> {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "below eight")]
    fn add(&mut self, class: usize, set: S) {
        self.tally = S::tally(self.tally, set, (class % EIGHT) as u32);
        if class % EIGHT == EIGHT - 1 {
            self.counts[class / EIGHT] = S::counts(self.tally);
            self.tally = S::no_tally();
        }
    }

    #[inline(always)]
    fn finish(mut self) -> Counts8 {
        if !Network::INPUTS.is_multiple_of(EIGHT) {
            self.counts[Network::INPUTS / EIGHT] = S::counts(self.tally);
        }
        self.counts
    }
}

impl<S: Sets> Sink<S> for Tallies<S> {
    #[inline(always)]
    fn sides(&mut self, class: usize, set: S) {
        self.add(class, set);
    }

    #[inline(always)]
    fn tie(&mut self, class: usize, set: S) {
        self.add(class, set);
    }
}

/// Adds up the weights of all members of all classes.
struct Weigh<'a, S: Sets> {
    weights: &'a Row,
    sides: S::Sum,
    ties: S::Sum,
}

impl<S: Sets> Sink<S> for Weigh<'_, S> {
    #[inline(always)]
    fn sides(&mut self, class: usize, set: S) {
        self.sides = S::weigh(self.sides, set, self.weights[class]);
    }

    #[inline(always)]
    fn tie(&mut self, class: usize, set: S) {
        self.ties = S::weigh(self.ties, set, self.weights[class]);
    }
}

/// Counts instead of weighing.
pub(crate) struct Count<'a, L>(pub(crate) &'a State<L>);

impl<L: Layout> Task<L> for Count<'_, L> {
    type Output = Features;

    #[inline(always)]
    fn run<S: Sets<Layout = L>>(self) -> Features {
        let (free, queens) = load::<S>(self.0);
        let scan = Scan::new(free, queens);
        let mut counts = Counts([[0; 2]; CLASSES]);
        scan.classes(&mut counts);
        let (openness, own_only) = scan.openness_and_own();
        Features { counts: counts.0, openness, own_only, free: self.0.free_count, due: self.0.due() }
    }
}

struct Counts([[u32; 2]; CLASSES]);

impl<S: Sets> Sink<S> for Counts {
    #[inline(always)]
    fn sides(&mut self, class: usize, set: S) {
        self.0[class] = count(set);
    }

    #[inline(always)]
    fn tie(&mut self, class: usize, set: S) {
        self.0[class] = count(set);
    }
}

/// Counts the cells of each side.
#[inline(always)]
pub(crate) fn count<S: Sets>(set: S) -> [u32; 2] {
    S::total(S::weigh(S::zero(), set, Weight::ONE)).map(i32::cast_unsigned)
}
