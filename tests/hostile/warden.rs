//! Runs a server in a process that adopts its orphans.

use std::env;
use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use amazons_testing::{let_pass, status_of, wait_until};
use serde::{Deserialize, Serialize};

use crate::support::alone;

const TEST: &str = "hostile::warden::warden";
const ORDER: &str = "AMAZONS_HOSTILE_ORDER";

/// A killed process is gone after so many looks, however busy the machine is.
const LOOKS: usize = 5_000;
const PAUSE: Duration = Duration::from_millis(2);

/// The command, and where to run it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub(super) server: PathBuf,
    pub(super) arguments: Vec<String>,
    pub(super) folder: PathBuf,
    /// The folder for the files `stdout`, `stderr` and `report`.
    pub(super) outputs: PathBuf,
    /// User and group, if not the current ones.
    pub(super) user: Option<u32>,
}

/// The results.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Report {
    /// The exit status or the signal, in words.
    pub(super) ended: String,
    /// The processes that outlived the server, until the warden killed them.
    pub(super) leftovers: Vec<String>,
}

impl Order {
    /// Runs the server below a warden.
    pub(super) fn carry_out(&self) -> Report {
        let order = serde_json::to_string(self).expect("an order is plain data");
        alone::run(alone::command(TEST).env(ORDER, order));
        let report = fs::read(self.outputs.join("report")).expect("the warden reports");
        serde_json::from_slice(&report).expect("the warden writes JSON")
    }
}

/// The warden's own process; without an order it does nothing.
#[test]
fn warden() {
    let Some(order) = env::var_os(ORDER).filter(|_| alone::is_alone()) else {
        return;
    };
    let order: Order = serde_json::from_str(order.to_str().expect("JSON is text")).expect("an order");
    // SAFETY: the call takes numbers only.
    let adopting = unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) };
    assert_eq!(adopting, 0);
    let ended = status_of(&mut start(&order));
    let ended = match (ended.code(), ended.signal()) {
        (Some(code), _) => format!("status {code}"),
        (None, signal) => format!("signal {}", signal.unwrap_or_default()),
    };
    let report = Report { ended, leftovers: leftovers() };
    fs::write(order.outputs.join("report"), serde_json::to_vec(&report).expect("plain data")).expect("a report");
}

fn start(order: &Order) -> Child {
    let output = |name: &str| File::create_new(order.outputs.join(name)).expect("an output can be made");
    let mut command = Command::new(&order.server);
    command.args(&order.arguments).current_dir(&order.folder);
    command.stdin(Stdio::null()).stdout(output("stdout")).stderr(output("stderr"));
    // Signals to the server's group stay there.
    command.env_remove(ORDER).process_group(0);
    if let Some(user) = order.user {
        command.uid(user).gid(user);
    }
    command.spawn().expect("the server can be run")
}

/// Waits for orphans that are dying; lists and kills those that are not.
fn leftovers() -> Vec<String> {
    for _ in 0..LOOKS {
        if !has_children() {
            return Vec::new();
        }
        let_pass(PAUSE);
    }
    let mut found = Vec::new();
    // Killed again until they are gone: they may have children.
    wait_until("what was left is gone", || {
        for (pid, what) in children() {
            // SAFETY: it is our child that no other code waits for, so it still has its number.
            unsafe { libc::kill(pid, libc::SIGKILL) };
            found.push(what);
        }
        !has_children()
    });
    found.sort();
    found.dedup();
    found
}

/// Reaps ended children; returns whether there are more.
fn has_children() -> bool {
    loop {
        // SAFETY: NULL means that the status is not wanted.
        match unsafe { libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG | libc::__WALL) } {
            0 => return true,
            -1 => return false,
            _ => {}
        }
    }
}

/// The children of this process, in words.
fn children() -> Vec<(i32, String)> {
    let me = std::process::id().to_string();
    let processes = fs::read_dir("/proc").expect("the kernel lists processes").flatten();
    let stats = processes.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    stats.filter_map(|stat| child(&stat, &me)).collect()
}

/// `1234 (name) S parent ...`
fn child(stat: &str, parent: &str) -> Option<(i32, String)> {
    let (head, tail) = stat.rsplit_once(") ")?;
    let (pid, name) = head.split_once(" (")?;
    let mut fields = tail.split(' ');
    let state = fields.next()?;
    (fields.next()? == parent && state != "Z").then_some(())?;
    let command = fs::read(Path::new("/proc").join(pid).join("cmdline")).unwrap_or_default();
    let command = String::from_utf8_lossy(&command).replace('\0', " ");
    Some((pid.parse().ok()?, format!("{name} ({pid}): {}", command.trim())))
}
