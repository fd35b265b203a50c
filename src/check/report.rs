//! What a run finds out, as data.

use amazons_rules::Directions;
use serde::Serialize;

/// One thing that is asked of a player, in the order in which it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The library can be opened in a locked-down process.
    Loads,
    /// It defines the four functions.
    Functions,
    /// `initialize` returns on every shape.
    Initialize,
    /// `get_player_name` gives a name that can be shown.
    Name,
    /// Whole games against a random mover, on both sides.
    Games,
    /// Whole games against itself.
    Itself,
    /// Both numberings of directions.
    Directions,
    /// A vertex count without the holes, ids with them.
    CompactCount,
    /// Ids without the holes, and a matrix that is not square.
    Rectangular,
    /// No diagonals.
    FourDirections,
    /// Entries of the matrix that are no edges.
    ExplicitZeros,
    /// Arrays of CSR in a matrix whose type says COO.
    CsrAsCoo,
    /// A few edges that have no way back.
    OneWayEdges,
    /// Memory is freed, and not touched afterwards.
    Frees,
    /// Time for each move.
    Time,
    /// Memory at its peak.
    Memory,
    /// Nothing computes while nothing is asked.
    Quiet,
    /// The same seed gives the same game.
    Repeats,
}

impl Step {
    /// All steps, in order.
    pub const ALL: [Self; 18] = [
        Self::Loads,
        Self::Functions,
        Self::Initialize,
        Self::Name,
        Self::Games,
        Self::Itself,
        Self::Directions,
        Self::CompactCount,
        Self::Rectangular,
        Self::FourDirections,
        Self::ExplicitZeros,
        Self::CsrAsCoo,
        Self::OneWayEdges,
        Self::Frees,
        Self::Time,
        Self::Memory,
        Self::Quiet,
        Self::Repeats,
    ];

    /// Returns its number, from 1.
    #[must_use]
    pub const fn number(self) -> u32 {
        self as u32 + 1
    }

    /// Returns its name for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loads => "loads",
            Self::Functions => "functions",
            Self::Initialize => "initialize",
            Self::Name => "name",
            Self::Games => "games",
            Self::Itself => "itself",
            Self::Directions => "directions",
            Self::CompactCount => "compact_count",
            Self::Rectangular => "rectangular",
            Self::FourDirections => "four_directions",
            Self::ExplicitZeros => "explicit_zeros",
            Self::CsrAsCoo => "csr_as_coo",
            Self::OneWayEdges => "one_way_edges",
            Self::Frees => "frees",
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Quiet => "quiet",
            Self::Repeats => "repeats",
        }
    }

    /// Returns what it asks, for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Loads => "it loads",
            Self::Functions => "it defines the four functions",
            Self::Initialize => "initialize returns on every shape",
            Self::Name => "it has a printable name",
            Self::Games => "whole games against a random mover",
            Self::Itself => "whole games against itself",
            Self::Directions => "both numberings of directions",
            Self::CompactCount => "other servers: num_vertices without the holes",
            Self::Rectangular => "other servers: ids without the holes, matrix not square",
            Self::FourDirections => "other servers: four directions only",
            Self::ExplicitZeros => "other servers: explicit zeros in the matrix",
            Self::CsrAsCoo => "other servers: CSR arrays with sptype 0",
            Self::OneWayEdges => "other servers: a few edges without a way back",
            Self::Frees => "it frees what it was given",
            Self::Time => "time for each move",
            Self::Memory => "memory at its peak",
            Self::Quiet => "nothing computes while nothing is asked",
            Self::Repeats => "the same seed gives the same game",
        }
    }

    /// Returns whether a failure is a warning only: our server never asks this of a player.
    #[must_use]
    pub const fn is_optional(self) -> bool {
        matches!(
            self,
            Self::Directions
                | Self::CompactCount
                | Self::Rectangular
                | Self::FourDirections
                | Self::ExplicitZeros
                | Self::CsrAsCoo
                | Self::OneWayEdges
                | Self::Repeats
        )
    }
}

/// How a step went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// As it should.
    Passed,
    /// Not as it should.
    Failed,
    /// It could not be tried.
    Skipped,
}

/// What a step found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How it went.
    pub status: Status,
    /// What was seen, what went wrong, or why nothing was tried: a lower-case fragment.
    pub detail: String,
    /// What to do about a failure.
    pub advice: Option<String>,
}

impl Finding {
    pub(crate) fn passed(detail: impl Into<String>) -> Self {
        Self { status: Status::Passed, detail: detail.into(), advice: None }
    }

    pub(crate) fn skipped(detail: impl Into<String>) -> Self {
        Self { status: Status::Skipped, detail: detail.into(), advice: None }
    }

    pub(crate) fn failed(detail: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { status: Status::Failed, detail: detail.into(), advice: Some(advice.into()) }
    }
}

/// All findings of a run, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Each step with its finding.
    pub findings: Vec<(Step, Finding)>,
    /// The numbering of edges that the player needs, where it fails with the one that was asked for.
    pub needed_directions: Option<Directions>,
}

impl Report {
    /// Counts the findings with a status; warnings count as failures here.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        self.findings.iter().filter(|(_, finding)| finding.status == status).count()
    }

    /// Returns the steps that failed: those that decide, or those that only warn.
    #[must_use]
    pub fn failed(&self, optional: bool) -> Vec<Step> {
        let failed = self.findings.iter().filter(|(_, finding)| finding.status == Status::Failed);
        failed.map(|&(step, _)| step).filter(|step| step.is_optional() == optional).collect()
    }

    /// Returns whether the player passes: warnings and skipped steps do not matter.
    #[must_use]
    pub fn is_passed(&self) -> bool {
        self.failed(false).is_empty()
    }
}
