//! What a seat knows: vectors, a plain enumeration, laws.

pub(crate) mod enumeration;
mod random_states;
pub(crate) mod vectors;

use cluedo::knowledge::facts::Facts;
use cluedo::knowledge::logic::{Deductions, Rules};
use cluedo::knowledge::problem::{Problem, Weighing};

/// The count of what agrees with facts.
fn problem(facts: &Facts, weighing: Weighing<'_>) -> Problem {
    Problem::new(facts, &Deductions::new(facts, Rules::Further), weighing)
}
