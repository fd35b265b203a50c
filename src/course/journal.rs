use amazons_program::journal;
use serde::{Deserialize, Serialize};

use crate::game::DirectionsArg;

/// The journal of a course, in its folder.
pub const COURSE: &str = "course.jsonl";

/// The version of the format.
const COURSE_FORMAT: u32 = 1;

/// The first line of the journal of a course.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CourseHeader {
    /// The version of the format.
    pub journal: u32,
    /// The program that made the journal, with its version.
    pub program: String,
    /// When the course was made, in seconds since 1970.
    pub course: u64,
}

impl CourseHeader {
    /// Begins a journal.
    pub fn new(now: u64) -> Self {
        Self { journal: COURSE_FORMAT, program: crate::PROGRAM.to_owned(), course: now }
    }
}

impl journal::Header for CourseHeader {
    type Line = CourseLine;

    const FORMAT: u32 = COURSE_FORMAT;

    const KIND: Option<(&str, bool, &str)> = Some(("course", true, "this is not the journal of a course"));
}

/// Something that happened to a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CourseLine {
    /// The team's name.
    pub team: String,
    /// When, in seconds since 1970.
    pub at: u64,
    /// The change.
    #[serde(flatten)]
    pub what: Happening,
}

/// A change of a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Happening {
    /// It is part of the course.
    Joined {
        /// Its name for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        display: Option<String>,
        /// Where to write to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        email: Option<String>,
        /// The hash of its token.
        token: String,
    },
    /// It has another token.
    Token {
        /// The hash of the token.
        token: String,
    },
    /// Whoever runs the course has another token; the name of the team is empty.
    Teacher {
        /// The hash of the token.
        token: String,
    },
    /// It has more time than others.
    Extended {
        stage: String,
        /// Its deadline, in seconds since 1970; one that is not later than that of all has no effect.
        until: u64,
    },
    /// It has handed in a version.
    Received {
        /// Counts the team's versions from 1.
        version: u32,
        /// The hash of the upload.
        sha256: String,
        /// The size of the upload.
        bytes: u64,
        /// Whether it is only tried out: it plays if the team chooses it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_trial: bool,
    },
    /// A server has begun to build the version.
    Building {
        version: u32,
        /// Whether it works on nothing else meanwhile.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_alone: bool,
    },
    /// Others are worked on beside it from now on.
    Accompanied { version: u32 },
    /// A server has begun to check it.
    Checking { version: u32 },
    /// It plays from now on.
    Admitted {
        version: u32,
        /// The hash of the player.
        sha256: String,
        /// The numbering that its check has shown it to need, if that is not the ladder's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        directions: Option<DirectionsArg>,
    },
    /// It may not play.
    Refused {
        version: u32,
        /// The reasons, a line each.
        reasons: Vec<String>,
        /// Whether this server could not build or check it, which is not the team's fault.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_ours: bool,
    },
    /// A server could not build or check it for this reason, and will try again.
    Postponed {
        version: u32,
        reason: String,
        /// Whether that try is to be alone.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_alone: bool,
    },
    /// The team wants this version to play, whatever has come since; an open one, once it is admitted.
    Chosen { version: u32 },
    /// An earlier version plays again; a team that was withdrawn is back.
    RolledBack { version: u32 },
    /// The team plays no more, and hands in nothing.
    Withdrawn,
    /// A team that was withdrawn is back, with the version that it played with.
    Returned,
}
