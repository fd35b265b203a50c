//! The command line, through the installed server.

mod doctor;
mod games;
mod limits;
mod messages;
mod settings;
mod tools;

use std::ffi::OsStr;
use std::process::{Command, Output};

use crate::support;

/// What a run of the server left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn last_line(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }
}

/// Runs the installed server.
pub(crate) fn server<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    ran(Command::new(support::server()).args(args).output().expect("the server can be run"))
}

pub(crate) fn ran(output: Output) -> Ran {
    Ran {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

/// A bundled player's path as text.
pub(crate) fn player(name: &str) -> String {
    support::player(name).into_os_string().into_string().expect("a path that is text")
}
