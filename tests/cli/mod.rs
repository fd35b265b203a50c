//! The command line, through the installed server.

mod doctor;
mod games;
mod levels;
mod limits;
mod messages;
mod settings;
mod tools;

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use amazons_testing::output_of;

use crate::support;

/// The results of a run of the server.
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
    let mut command = Command::new(support::server());
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    ran(output_of(command.spawn().expect("the server can be run")))
}

/// Runs the installed server with something to read.
pub(crate) fn server_reading<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>, input: &str) -> Ran {
    ran(fed(Command::new(support::server()).args(args), input.as_bytes()))
}

/// Runs a command with something to read, which it may leave unread.
pub(crate) fn fed(command: &mut Command, input: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the server can be run");
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    output_of(child)
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
