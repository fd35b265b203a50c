use crate::children::EvaluateChildren;
use crate::evaluate::{Count, Evaluate};
use crate::half_move::{Cell, HalfMove, Slide};
use crate::moves::{Arrows, Blocked, Countable, Decide, Steps};
use crate::simd::{Isa, Layout, dispatch};
use crate::state::State;
use crate::{Evaluation, Features, Table};

/// The tasks of a grid's game as functions that are not generic.
///
/// Whoever plays on a grid would compile them again otherwise, for each layout, instruction set and length of lines.
/// `short` says that no line has more than 8 cells.
pub trait Tasks: Layout {
    /// Adds the steps of the player to move.
    fn steps(isa: Isa, short: bool, state: &State<Self>, slides: &mut Vec<Slide>);
    /// Adds the arrows from a cell.
    fn arrows(isa: Isa, short: bool, state: &State<Self>, from: Cell, arrows: &mut Vec<Cell>);
    /// Judges a state.
    fn evaluate(isa: Isa, short: bool, state: &State<Self>, table: &Table) -> Evaluation;
    /// Adds the judgement of the state after each half-move.
    fn evaluate_children(
        isa: Isa,
        short: bool,
        state: &State<Self>,
        halves: &[HalfMove],
        table: &Table,
        evaluations: &mut Vec<Option<Evaluation>>,
    );
    /// Returns whether the player to move cannot step.
    fn is_blocked(isa: Isa, state: &State<Self>) -> bool;
    /// Returns what only one of the players reaches, when nothing is in reach of both.
    fn decided(isa: Isa, state: &State<Self>) -> Option<[u32; 2]>;
    /// Returns whether counting moves may tell who wins.
    fn is_countable(isa: Isa, state: &State<Self>) -> bool;
    /// Counts what an evaluation weighs.
    fn features(state: &State<Self>) -> Features;
}

/// Runs a task made for lines of this length; on the larger layouts all lines count as long.
macro_rules! run {
    ($isa:ident, $short:ident, $layout:ty, $task:ident $fields:tt) => {
        if const { <$layout>::SIDE > 16 } || !$short {
            dispatch($isa, $task::<$layout, false> $fields)
        } else {
            dispatch($isa, $task::<$layout, true> $fields)
        }
    };
}

macro_rules! tasks {
    ($layout:ty) => {
        impl Tasks for $layout {
            fn steps(isa: Isa, short: bool, state: &State<Self>, slides: &mut Vec<Slide>) {
                run!(isa, short, $layout, Steps { state, slides });
            }

            fn arrows(isa: Isa, short: bool, state: &State<Self>, from: Cell, arrows: &mut Vec<Cell>) {
                run!(isa, short, $layout, Arrows { state, from, arrows });
            }

            fn evaluate(isa: Isa, short: bool, state: &State<Self>, table: &Table) -> Evaluation {
                run!(isa, short, $layout, Evaluate { state, table })
            }

            fn evaluate_children(
                isa: Isa,
                short: bool,
                state: &State<Self>,
                halves: &[HalfMove],
                table: &Table,
                evaluations: &mut Vec<Option<Evaluation>>,
            ) {
                run!(isa, short, $layout, EvaluateChildren { state, halves, table, evaluations });
            }

            fn is_blocked(isa: Isa, state: &State<Self>) -> bool {
                dispatch(isa, Blocked(state))
            }

            fn decided(isa: Isa, state: &State<Self>) -> Option<[u32; 2]> {
                dispatch(isa, Decide(state))
            }

            fn is_countable(isa: Isa, state: &State<Self>) -> bool {
                dispatch(isa, Countable(state))
            }

            fn features(state: &State<Self>) -> Features {
                dispatch(Isa::PORTABLE, Count(state))
            }
        }
    };
}

tasks!([u16; 16]);
tasks!([u32; 32]);
tasks!([u64; 64]);
