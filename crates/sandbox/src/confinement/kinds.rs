//! The choices that a policy depends on, and its verdicts.

use std::ffi::c_int;

/// The part of a filter in refusals that are told: of processes, programs and threads. Two filters are in force then,
/// as the first must be installed while the process may still hand over where they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// Nobody is told: this filter refuses them itself.
    Silent,
    /// This filter does nothing else: whoever is told answers with the error.
    Teller,
    /// Another filter, already in force, refuses them.
    Elsewhere,
}

/// The kind of code that a policy is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A player's library, in one of our processes.
    Player,
    /// Another program: it may start threads, processes and programs, all under the same policy. It cannot know the
    /// rules, so nothing is a violation: forbidden calls are refused. It may change files where Landlock allows that.
    Program,
    /// A program that builds others: as [`Subject::Program`], and its user's rights may stand in for Landlock.
    Builder,
}

/// The number of threads that a player may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// Only the initial one.
    One,
    /// As many as other limits allow.
    Many,
}

/// The files that may be opened for writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    /// None: nothing else would prevent writing.
    Nothing,
    /// Those that Landlock allows.
    ByLandlock,
}

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallVerdict {
    /// The kernel executes it.
    Allowed,
    /// It returns this error code.
    Refused(c_int),
    /// It ends the process.
    Violation,
    /// It waits until who is told about it answers; without anybody to tell, it is as unknown.
    Told,
}
