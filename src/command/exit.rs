use std::error::Error;
use std::fmt;

/// How the server ends; as an error, it ends a command early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what was asked for.
    Success,
    /// The answer is no: a record does not verify.
    Refuted(String),
    /// The answer is no, and standard output says so already.
    Failed,
    /// The command line is wrong, or a file that it names.
    Usage(String),
    /// A player was at fault and `--strict` was given.
    PlayerAtFault,
    /// The game is void: we failed.
    Void,
    /// We were asked to stop before everything was done.
    Stopped(String),
    /// The reader of our output went away.
    BrokenPipe,
}

impl Error for Exit {}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.complaint().unwrap_or_default())
    }
}

/// The status of our own failures, `EX_SOFTWARE` of `sysexits.h`.
pub const FAILURE: u8 = 70;

impl Exit {
    /// Makes a usage error.
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
            // A shell's status of a program ended by Ctrl-C.
            Self::Stopped(_) => 130,
            // A shell's status of a program ended by SIGPIPE.
            Self::BrokenPipe => 141,
        }
    }
}
