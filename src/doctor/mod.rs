//! Examines this machine: what it offers for running players safely, what is missing, the cost, and the remedy.

use std::fs;
use std::thread::available_parallelism;

use serde::Serialize;

use crate::host::{HostError, Limits, Probe, available_memory, fork_server, has_gsl, is_landlock_disabled};
use crate::referee::{Sandbox, SandboxLevel, SandboxUser};

/// The first version of Landlock's rules that covers signals to other processes.
const LANDLOCK_SIGNALS: u32 = 6;

/// A finding about one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The thing.
    pub subject: &'static str,
    /// Its state.
    pub state: State,
    /// A description.
    pub found: String,
    /// The loss because of that; null if there is none.
    pub lost: Option<&'static str>,
    /// The remedy; null if there is none.
    pub remedy: Option<&'static str>,
}

/// The states of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// As it should be.
    Good,
    /// Less than possible, but without loss of protection from players.
    Fair,
    /// Something that protects others from players is missing.
    Poor,
}

impl Finding {
    fn good(subject: &'static str, found: impl Into<String>) -> Self {
        Self { subject, state: State::Good, found: found.into(), lost: None, remedy: None }
    }

    fn lacking(
        subject: &'static str,
        state: State,
        found: impl Into<String>,
        lost: &'static str,
        remedy: &'static str,
    ) -> Self {
        Self { subject, state, found: found.into(), lost: Some(lost), remedy: Some(remedy) }
    }

    /// Replaces a lack by `found` if nothing is missing.
    fn unless(self, is_good: bool, found: &str) -> Self {
        if is_good { Self::good(self.subject, found) } else { self }
    }
}

/// All findings, and their consequence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Examination {
    /// The sandbox of players with `--sandbox auto`; null if players are refused.
    pub sandbox: Option<Sandbox>,
    /// The findings in order.
    pub findings: Vec<Finding>,
}

impl Examination {
    /// The worst of all findings.
    #[must_use]
    pub fn state(&self) -> State {
        self.findings.iter().map(|finding| finding.state).max().unwrap_or(State::Good)
    }
}

/// Examines this machine, and starts a few player processes without players.
///
/// # Errors
/// When no player's process can be started at all.
pub fn examine() -> Result<Examination, HostError> {
    let probe = Probe::run(&fork_server()?)?;
    let sandbox = probe.sandbox.as_ref().ok().copied();
    let findings = vec![
        overall(&probe),
        landlock(sandbox),
        seccomp(sandbox),
        user(sandbox),
        pidfd(&probe),
        clock(&probe),
        Finding::good("start", format!("a player's process is ready after {:.2} ms", probe.start.as_secs_f64() * 1e3)),
        memory(),
        cores(),
        gsl(),
    ];
    Ok(Examination { sandbox, findings })
}

fn overall(probe: &Probe) -> Finding {
    match &probe.sandbox {
        Ok(sandbox) if sandbox.level == SandboxLevel::Full => {
            Finding::good("sandbox", "full: players of strangers can be run")
        }
        Ok(sandbox) => Finding::lacking(
            "sandbox",
            State::Poor,
            sandbox.to_string(),
            "the second of two walls: the other one still stands",
            "see below; --sandbox strict refuses to run players like this",
        ),
        Err(error) => Finding::lacking(
            "sandbox",
            State::Poor,
            format!("none: {error}"),
            "all protection but processes, clocks and limits",
            "see below; run only players that you trust, with --sandbox off",
        ),
    }
}

fn landlock(sandbox: Option<Sandbox>) -> Finding {
    const LOST: &str = "players can read whatever the user who runs the server can";
    match sandbox.and_then(|sandbox| sandbox.landlock) {
        Some(version) if version < LANDLOCK_SIGNALS => Finding::lacking(
            "landlock",
            State::Fair,
            format!("rules of version {version}: files are covered"),
            "its cover of signals and sockets, which seccomp refuses anyway",
            "Linux 6.12 or newer",
        ),
        Some(version) => Finding::good("landlock", format!("rules of version {version}")),
        None if is_landlock_disabled() => Finding::lacking(
            "landlock",
            State::Poor,
            "built into the kernel and switched off",
            LOST,
            "add landlock to the list that the kernel is booted with: lsm=landlock,...",
        ),
        None => Finding::lacking(
            "landlock",
            State::Poor,
            "the kernel does not offer it",
            LOST,
            "Linux 5.13 or newer with CONFIG_SECURITY_LANDLOCK; in a container, a runtime that lets landlock_* calls pass",
        ),
    }
}

fn seccomp(sandbox: Option<Sandbox>) -> Finding {
    Finding::lacking(
        "seccomp",
        State::Poor,
        "system calls cannot be filtered",
        "players can start processes and open sockets",
        "a kernel with CONFIG_SECCOMP_FILTER; in a container, a runtime that lets the call seccomp pass",
    )
    .unless(sandbox.is_some_and(|sandbox| sandbox.seccomp), "system calls are filtered")
}

fn user(sandbox: Option<Sandbox>) -> Finding {
    match sandbox.map(|sandbox| sandbox.user) {
        Some(SandboxUser::Stranger) => {
            Finding::good("user", "the server runs as root, and each player as a user of its own without rights")
        }
        Some(SandboxUser::Nobody) => Finding::lacking(
            "user",
            State::Fair,
            "the server runs as root, and players as nobody",
            "the difference between two players' users",
            "run the server as an ordinary user, or in a container with more user numbers",
        ),
        Some(SandboxUser::Root) => Finding::lacking(
            "user",
            State::Poor,
            "the server runs as root, and so do players: the user cannot be changed here",
            "the last wall behind the sandbox",
            "run the server as an ordinary user",
        ),
        Some(SandboxUser::Ordinary) | None => {
            Finding::good("user", "the server does not run as root, and players have the same rights as it")
        }
    }
}

fn pidfd(probe: &Probe) -> Finding {
    Finding::lacking(
        "pidfd",
        State::Fair,
        "the kernel does not offer process descriptors",
        "up to 10 ms until the end of a player is noticed",
        "Linux 5.3 or newer; in a container, a runtime that lets the call pidfd_open pass",
    )
    .unless(probe.has_pidfd, "the end of a player is noticed at once")
}

fn clock(probe: &Probe) -> Finding {
    Finding::lacking(
        "clock",
        State::Poor,
        "players' processor time cannot be read",
        "fair time on a busy machine",
        "use --clock wall on an idle machine",
    )
    .unless(probe.has_clock, "players' processor time can be read")
}

fn memory() -> Finding {
    const MIB: u64 = 1 << 20;
    match available_memory() {
        Some(free) if free / 20 * 9 >= Limits::MEMORY => Finding::good("memory", format!("{} MiB free", free / MIB)),
        Some(free) => Finding::lacking(
            "memory",
            State::Fair,
            format!("{} MiB free: {} MiB for each player", free / MIB, free / 20 * 9 / MIB),
            "the usual 4096 MiB for each of two players",
            "--memory sets a limit that fits several games at a time",
        ),
        None => Finding::lacking(
            "memory",
            State::Fair,
            "the kernel does not say how much is free",
            "the check that two players' limits fit",
            "choose --memory with care",
        ),
    }
}

fn cores() -> Finding {
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let cores = available_parallelism().map_or(1, std::num::NonZero::get);
    Finding::good("machine", format!("{cores} cores, Linux {}", kernel.trim()))
}

fn gsl() -> Finding {
    Finding::lacking(
        "gsl",
        State::Fair,
        "not found",
        "players that use the GNU Scientific Library",
        "install it (Debian: apt-get install libgsl-dev), or set GSL_PATH to its prefix",
    )
    .unless(has_gsl(), "found, for players that count on it")
}
