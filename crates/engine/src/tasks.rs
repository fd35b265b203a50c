use crate::children::EvaluateChildren;
use crate::evaluate::{Count, Evaluate};
use crate::half_move::HalfMove;
use crate::moves::{Blocked, Countable, Decide, Moves};
use crate::simd::{Isa, Layout, dispatch};
use crate::state::State;
use crate::{EvalTable, Evaluation, Features};

/// Runs a task for lines of this length; on the larger layouts all lines count as long.
macro_rules! run {
    ($isa:ident, $short:ident, $task:ident $fields:tt) => {
        if const { <Self as Layout>::SIDE > 16 } || !$short {
            dispatch($isa, $task::<Self, false> $fields)
        } else {
            dispatch($isa, $task::<Self, true> $fields)
        }
    };
}

/// Makes a trait of functions and implements it alike for each layout.
macro_rules! tasks {
    ($($layout:ty),*; $functions:tt) => {
        tasks!(trait $functions);
        $(tasks!(impl $layout, $functions);)*
    };
    (trait {$($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block)*}) => {
        /// The tasks of a grid's game as non-generic functions.
        ///
        /// Otherwise every crate that plays on a grid would compile them for each layout, instruction set and line
        /// length. `short` means that no line has more than 8 cells.
        pub trait Tasks: Layout {
            $($(#[$doc])* fn $name($($argument: $type),*) $(-> $result)?;)*
        }
    };
    (impl $layout:ty, {$($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block)*}) => {
        impl Tasks for $layout {
            $(fn $name($($argument: $type),*) $(-> $result)? $body)*
        }
    };
}

tasks!([u16; 16], [u32; 32], [u64; 64]; {
    /// Adds the half-moves that are due.
    fn moves(isa: Isa, short: bool, state: &State<Self>, moves: &mut Vec<HalfMove>) {
        run!(isa, short, Moves { state, moves });
    }

    /// Evaluates a state.
    fn evaluate(isa: Isa, short: bool, state: &State<Self>, table: &EvalTable) -> Evaluation {
        run!(isa, short, Evaluate { state, table })
    }

    /// Adds the evaluation of the state after each half-move.
    fn evaluate_children(
        isa: Isa,
        short: bool,
        state: &State<Self>,
        halves: &[HalfMove],
        table: &EvalTable,
        evaluations: &mut Vec<Option<Evaluation>>
    ) {
        run!(isa, short, EvaluateChildren { state, halves, table, evaluations });
    }

    /// Returns whether the player to move cannot step.
    fn is_blocked(isa: Isa, state: &State<Self>) -> bool {
        dispatch(isa, Blocked(state))
    }

    /// Returns how many vertices only one of the players reaches, if none is in reach of both.
    fn decided(isa: Isa, state: &State<Self>) -> Option<[u32; 2]> {
        dispatch(isa, Decide(state))
    }

    /// Returns whether counting moves may decide the winner.
    fn is_countable(isa: Isa, state: &State<Self>) -> bool {
        dispatch(isa, Countable(state))
    }

    /// Counts the features of a state.
    fn features(state: &State<Self>) -> Features {
        dispatch(Isa::PORTABLE, Count(state))
    }
});
