//! The steps of a check.

use super::finding::Label;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckStep {
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
pub(super) const STEPS: [(CheckStep, &str, &str, bool); 18] = [
    (CheckStep::Loads, "loads", "it loads", false),
    (CheckStep::Functions, "functions", "it defines the four functions", false),
    (CheckStep::Initialize, "initialize", "initialize returns on every shape", false),
    (CheckStep::Name, "name", "it has a printable name", false),
    (CheckStep::Games, "games", "whole games against a random mover", false),
    (CheckStep::Itself, "itself", "whole games against itself", false),
    (CheckStep::Directions, "directions", "both numberings of directions", true),
    (CheckStep::CompactCount, "compact_count", "other servers: num_vertices without the holes", true),
    (CheckStep::Rectangular, "rectangular", "other servers: ids without the holes, matrix not square", true),
    (CheckStep::FourDirections, "four_directions", "other servers: four directions only", true),
    (CheckStep::ExplicitZeros, "explicit_zeros", "other servers: explicit zeros in the matrix", true),
    (CheckStep::CsrAsCoo, "csr_as_coo", "other servers: CSR arrays with sptype 0", true),
    (CheckStep::OneWayEdges, "one_way_edges", "other servers: a few one-way edges", true),
    (CheckStep::Frees, "frees", "it frees the memory passed to it", false),
    (CheckStep::Time, "time", "time for each move", false),
    (CheckStep::Memory, "memory", "memory at its peak", false),
    (CheckStep::Quiet, "quiet", "it does not compute between calls", false),
    (CheckStep::Repeats, "repeats", "the same seed gives the same game", true),
];

impl CheckStep {
    pub(super) const fn number(self) -> usize {
        self as usize + 1
    }

    pub(super) const fn label(self) -> Label {
        let (_, name, title, is_optional) = STEPS[self as usize];
        Label { number: self.number(), name, title, is_optional }
    }
}
