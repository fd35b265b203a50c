use crate::children::EvaluateChildren;
use crate::evaluate::{Count, Evaluate};
use crate::half_move::HalfMove;
use crate::moves::{Blocked, Countable, Decide, Moves};
use crate::simd::{Isa, Layout, dispatch};
use crate::state::State;
use crate::{EvalTable, Evaluation, Features};

/// Runs a task, on the narrow form of the sets if the board fits; only the smallest layout has one.
macro_rules! run {
    ($isa:ident, $narrow:ident, $task:ident $fields:tt) => {
        if const { <Self as Layout>::SIDE > 16 } || !$narrow {
            dispatch::<Self, _>($isa, $task $fields)
        } else {
            dispatch::<<Self as Layout>::Narrow, _>($isa, $task $fields)
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
        /// Otherwise every crate that plays on a grid would compile them for each layout and instruction set. `narrow`
        /// means that the board fits [`NARROW`](crate::simd::NARROW).
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
    fn moves(isa: Isa, narrow: bool, state: &State<Self>, moves: &mut Vec<HalfMove>) {
        run!(isa, narrow, Moves { state, moves });
    }

    /// Evaluates a state.
    fn evaluate(isa: Isa, narrow: bool, state: &State<Self>, table: &EvalTable) -> Evaluation {
        run!(isa, narrow, Evaluate { state, table })
    }

    /// Adds the evaluation of the state after each half-move.
    fn evaluate_children(
        isa: Isa,
        narrow: bool,
        state: &State<Self>,
        halves: &[HalfMove],
        table: &EvalTable,
        evaluations: &mut Vec<Option<Evaluation>>
    ) {
        run!(isa, narrow, EvaluateChildren { state, halves, table, evaluations });
    }

    /// Returns whether the player to move cannot step.
    fn is_blocked(isa: Isa, narrow: bool, state: &State<Self>) -> bool {
        run!(isa, narrow, Blocked(state))
    }

    /// Returns how many vertices only one of the players reaches, if none is in reach of both.
    fn decided(isa: Isa, narrow: bool, state: &State<Self>) -> Option<[u32; 2]> {
        run!(isa, narrow, Decide(state))
    }

    /// Returns whether counting moves may decide the winner.
    fn is_countable(isa: Isa, narrow: bool, state: &State<Self>) -> bool {
        run!(isa, narrow, Countable(state))
    }

    /// Counts the features of a state.
    fn features(state: &State<Self>) -> Features {
        dispatch::<Self, _>(Isa::PORTABLE, Count(state))
    }
});
