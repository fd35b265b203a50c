use std::fmt;

/// How the server ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what was asked for.
    Success,
    /// The answer is no: a record does not verify.
    Refuted(String),
    /// The answer is no, and standard output says so already.
    Failed,
    /// What was typed, or a file that was named, is wrong.
    Usage(String),
    /// A player was at fault and `--strict` was given.
    PlayerAtFault,
    /// The game is void: we failed.
    Void,
    /// Somebody wanted us to stop before everything was done.
    Stopped(String),
    /// Whoever read our output went away.
    BrokenPipe,
}

/// The status of our own failures, `EX_SOFTWARE` of `sysexits.h`.
pub const FAILURE: u8 = 70;

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.complaint().unwrap_or("it ended early"))
    }
}

/// An early end, which [`run`](super::run) returns as what it is.
impl std::error::Error for Exit {}

impl Exit {
    /// Makes a usage error of anything that can be said.
    pub fn usage(reason: impl fmt::Display) -> Self {
        Self::Usage(reason.to_string())
    }

    /// Returns the line for standard error, if there is one to write.
    #[must_use]
    pub fn complaint(&self) -> Option<&str> {
        match self {
            Self::Refuted(reason) | Self::Usage(reason) | Self::Stopped(reason) => Some(reason),
            Self::Success | Self::Failed | Self::PlayerAtFault | Self::Void | Self::BrokenPipe => None,
        }
    }

    /// Returns the exit status.
    #[must_use]
    pub const fn status(&self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Refuted(_) | Self::Failed => 1,
            Self::Usage(_) => 2,
            Self::PlayerAtFault => 3,
            Self::Void => FAILURE,
            // What a shell shows for a program that Ctrl-C ended.
            Self::Stopped(_) => 130,
            // What a shell shows for a program that SIGPIPE ended.
            Self::BrokenPipe => 141,
        }
    }
}
