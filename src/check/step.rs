//! The steps of a check.

use super::report::Label;

/// A step of the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Loads,
    Functions,
    Initialize,
    Name,
    Games,
    Itself,
    Directions,
    CompactCount,
    Rectangular,
    FourDirections,
    ExplicitZeros,
    CsrAsCoo,
    OneWayEdges,
    Frees,
    Time,
    Memory,
    Quiet,
    Repeats,
}

/// The steps in order, each with its name, its title, and whether it is optional.
pub(super) const STEPS: [(Step, &str, &str, bool); 18] = [
    (Step::Loads, "loads", "it loads", false),
    (Step::Functions, "functions", "it defines the four functions", false),
    (Step::Initialize, "initialize", "initialize returns on every shape", false),
    (Step::Name, "name", "it has a printable name", false),
    (Step::Games, "games", "whole games against a random mover", false),
    (Step::Itself, "itself", "whole games against itself", false),
    (Step::Directions, "directions", "both numberings of directions", true),
    (Step::CompactCount, "compact_count", "other servers: num_vertices without the holes", true),
    (Step::Rectangular, "rectangular", "other servers: ids without the holes, matrix not square", true),
    (Step::FourDirections, "four_directions", "other servers: four directions only", true),
    (Step::ExplicitZeros, "explicit_zeros", "other servers: explicit zeros in the matrix", true),
    (Step::CsrAsCoo, "csr_as_coo", "other servers: CSR arrays with sptype 0", true),
    (Step::OneWayEdges, "one_way_edges", "other servers: a few one-way edges", true),
    (Step::Frees, "frees", "it frees the memory passed to it", false),
    (Step::Time, "time", "time for each move", false),
    (Step::Memory, "memory", "memory at its peak", false),
    (Step::Quiet, "quiet", "it does not compute between calls", false),
    (Step::Repeats, "repeats", "the same seed gives the same game", true),
];

impl Step {
    pub(super) const fn number(self) -> usize {
        self as usize + 1
    }

    pub(super) const fn label(self) -> Label {
        let (_, name, title, is_optional) = STEPS[self as usize];
        Label { number: self.number(), name, title, is_optional }
    }
}
