//! `server check`, with players that each have one mistake.

mod failures;
mod gradescope;
mod output;
mod timing;

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use amazons_testing::skip;
use serde_json::Value;
use tempfile::TempDir;

use crate::support;

const SOURCE: &str = include_str!("player.c");

/// The output of a run.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) status: i32,
    steps: Vec<Value>,
    pub(crate) summary: Value,
}

impl Checked {
    /// The names of the steps with a status.
    pub(crate) fn with(&self, status: &str) -> Vec<&str> {
        let having = self.steps.iter().filter(|step| step["status"] == status);
        having.map(|step| step["name"].as_str().expect("a name")).collect()
    }

    fn step(&self, name: &str) -> &Value {
        self.steps.iter().find(|step| step["name"] == name).expect("the step exists")
    }

    pub(crate) fn detail(&self, name: &str) -> &str {
        self.step(name)["detail"].as_str().expect("a detail")
    }

    pub(crate) fn advice(&self, name: &str) -> &str {
        self.step(name)["advice"].as_str().expect("advice")
    }

    /// Fails unless exactly this step failed, with such a detail.
    fn assert_only(&self, name: &str, part: &str) {
        assert_eq!((self.status, self.with("failed")), (1, vec![name]), "{self:#?}");
        assert!(self.detail(name).contains(part), "{self:#?}");
        assert!(self.step(name)["advice"].is_string(), "{self:#?}");
    }
}

/// Checks a player and reads the JSON lines.
fn check<S: AsRef<OsStr>>(player: &Path, options: impl IntoIterator<Item = S>) -> Checked {
    let output = Command::new(support::server())
        .args([OsStr::new("check"), OsStr::new("--json"), player.as_os_str()])
        .args(options)
        .output()
        .expect("the server can be run");
    let out = String::from_utf8(output.stdout).expect("text");
    let mut lines: Vec<Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line} is JSON"))).collect();
    let summary = lines.pop().unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    Checked { status: output.status.code().unwrap_or(-1), steps: lines, summary }
}

/// Builds the player with these definitions in front of it.
pub(crate) fn build(definitions: &str) -> (TempDir, std::path::PathBuf) {
    support::compile_c(&format!("{definitions}\n{SOURCE}"), &["-pthread"])
}

/// Checks the player with these definitions, on small boards.
pub(crate) fn check_with(definitions: &str, options: &[&str]) -> Checked {
    let (_folder, library) = build(definitions);
    check(&library, [&["-m", "6"], options].concat())
}

fn has_valgrind() -> bool {
    let is_there = Command::new("valgrind").arg("--version").output().is_ok();
    if !is_there {
        skip("valgrind is not installed (Debian: apt-get install valgrind)");
    }
    is_there
}
