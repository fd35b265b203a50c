//! Examines this machine: what it offers for running players safely, what is missing, what that costs, and the remedy.

use std::fs;
use std::thread::available_parallelism;

use serde::Serialize;

use rustix::thread::{CapabilitySet, capabilities};

use crate::host::{
    HostError, Limits, Probe, available_memory, check_limits, fork_server, has_gsl, landlock_error, proc_is_ours,
    seccomp_error, unchanged_user,
};
use crate::referee::{RefusedStep, Sandbox, SandboxLevel, SandboxUser};
use crate::text::error_chain;

/// The first version of Landlock's rules that covers signals to other processes.
const LANDLOCK_SIGNALS: u32 = 6;

/// A finding about one subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// The thing.
    pub subject: &'static str,
    pub state: Condition,
    /// A description.
    pub found: String,
    /// The resulting loss; null if nothing is lost.
    pub lost: Option<&'static str>,
    /// The remedy; null if none is needed.
    pub remedy: Option<&'static str>,
}

/// The state of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// As it should be.
    Good,
    /// Less than possible, but players are as confined.
    Fair,
    /// Part of the protection from players is missing.
    Poor,
}

impl Diagnosis {
    fn good(subject: &'static str, found: impl Into<String>) -> Self {
        Self { subject, state: Condition::Good, found: found.into(), lost: None, remedy: None }
    }

    fn lacking(
        subject: &'static str,
        state: Condition,
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
    /// Whether players can be run at all, at least with `--sandbox off`.
    pub can_play: bool,
    /// The findings in order.
    pub findings: Vec<Diagnosis>,
}

impl Examination {
    /// The worst state of all findings.
    pub fn state(&self) -> Condition {
        self.findings.iter().map(|finding| finding.state).max().unwrap_or(Condition::Good)
    }
}

/// Examines this machine, and starts a few player processes without players.
pub fn examine() -> Examination {
    let probe = fork_server().and_then(|parent| Ok(Probe::run(&parent)?));
    let sandbox = probe.as_ref().ok().and_then(|probe| probe.sandbox.as_ref().ok().copied());
    let mut findings = vec![match &probe {
        Ok(probe) => overall(probe),
        Err(error) => nothing(error),
    }];
    // If players cannot be run, nothing else can be said about them.
    if let Ok(probe) = &probe {
        let start = format!("a player's process is ready after {:.2} ms", probe.start.as_secs_f64() * 1e3);
        findings.extend([landlock(sandbox), seccomp(sandbox), user(sandbox), pidfd(probe), clock(probe)]);
        findings.extend([children(probe), Diagnosis::good("start", start)]);
    }
    findings.extend([limits(), memory(), cores(), gsl()]);
    Examination { sandbox, can_play: probe.is_ok(), findings }
}

fn nothing(error: &HostError) -> Diagnosis {
    Diagnosis::lacking(
        "sandbox",
        Condition::Poor,
        format!("no player can be run: {}", error_chain(error)),
        "all games of libraries and programs",
        "provide what the line above names; in a container, use a runtime that allows it",
    )
}

fn overall(probe: &Probe) -> Diagnosis {
    let (found, lost, remedy) = match &probe.sandbox {
        Ok(sandbox) if sandbox.level == SandboxLevel::Full && sandbox.user != SandboxUser::Root => {
            return Diagnosis::good("sandbox", "full: players of strangers can be run");
        }
        Ok(sandbox) => (
            sandbox.to_string(),
            "the second of two walls: the other one still stands",
            "see below; --sandbox strict refuses to run players like this",
        ),
        Err(error) => (
            format!("none: {error}"),
            "all protection but processes, clocks and limits",
            "see below; run only players that you trust, with --sandbox off",
        ),
    };
    Diagnosis::lacking("sandbox", Condition::Poor, found, lost, remedy)
}

fn landlock(sandbox: Option<Sandbox>) -> Diagnosis {
    if let Some(version) = sandbox.and_then(|sandbox| sandbox.landlock) {
        return Diagnosis::lacking(
            "landlock",
            Condition::Fair,
            format!("rules of version {version}: files are protected"),
            "its protection of signals and sockets, which seccomp refuses anyway",
            "Linux 6.12 or newer",
        )
        .unless(version >= LANDLOCK_SIGNALS, &format!("rules of version {version}"));
    }
    let container = "in a container, a runtime that allows landlock_* calls and prctl";
    let refused = sandbox.and_then(|sandbox| sandbox.refused);
    let error = landlock_error().map(|error| error.raw_os_error().unwrap_or_default());
    let (found, remedy) = match (refused, error) {
        (Some(refused @ RefusedStep::TooManyLayers), _) => {
            (refused.to_string(), "start the server from fewer programs that confine themselves with Landlock")
        }
        (Some(refused), _) => (refused.to_string(), container),
        (None, None) => ("the kernel offers it, but players cannot be confined by it: see above".into(), container),
        (None, Some(libc::EOPNOTSUPP)) => (
            "built into the kernel but switched off".into(),
            "add landlock to the list that the kernel is booted with: lsm=landlock,...",
        ),
        (None, Some(libc::ENOSYS)) => (
            "the kernel does not offer it".into(),
            "Linux 5.13 or newer with CONFIG_SECURITY_LANDLOCK; in a container, a runtime that allows landlock_* calls",
        ),
        (None, Some(_)) => ("the call landlock_create_ruleset is refused".into(), container),
    };
    let lost = "players can read whatever the user who runs the server can";
    Diagnosis::lacking("landlock", Condition::Poor, found, lost, remedy)
}

fn seccomp(sandbox: Option<Sandbox>) -> Diagnosis {
    let found = match seccomp_error() {
        Some(_) => "system calls cannot be filtered",
        None => "the kernel can filter system calls, but not those of players: see above",
    };
    Diagnosis::lacking(
        "seccomp",
        Condition::Poor,
        found,
        "players can start processes and open sockets",
        "a kernel with CONFIG_SECCOMP_FILTER; in a container, a runtime that allows the call seccomp",
    )
    .unless(sandbox.is_some_and(|sandbox| sandbox.seccomp), "system calls are filtered")
}

fn user(sandbox: Option<Sandbox>) -> Diagnosis {
    let can_kill = || capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::KILL));
    let root = match sandbox.map(|sandbox| sandbox.user) {
        Some(SandboxUser::Stranger) => {
            let found = "the server runs as root, and each player as a user of its own without rights";
            return Diagnosis::good("user", found);
        }
        Some(SandboxUser::Nobody) => {
            return Diagnosis::lacking(
                "user",
                Condition::Fair,
                "the server runs as root, and players as nobody",
                "the difference between two players' users",
                "run the server as an ordinary user, or in a container with more user numbers",
            );
        }
        Some(SandboxUser::Root) if can_kill() => ": the user cannot be changed here (CAP_SETUID, CAP_SETGID)",
        Some(SandboxUser::Root) => ": it could not end a player of another user (CAP_KILL)",
        None if unchanged_user() == SandboxUser::Root => " with --sandbox off",
        Some(SandboxUser::Ordinary) | None => {
            return Diagnosis::good("user", "the server does not run as root, and players have the same rights as it");
        }
    };
    let found = format!("the server runs as root, and so do players{root}");
    let remedy = "run the server as an ordinary user, or with all rights of root";
    Diagnosis::lacking("user", Condition::Poor, found, "the last wall behind the sandbox", remedy)
}

fn pidfd(probe: &Probe) -> Diagnosis {
    Diagnosis::lacking(
        "pidfd",
        Condition::Fair,
        "the kernel does not offer process descriptors",
        "up to 10 ms until the end of a player is noticed",
        "Linux 5.3 or newer; in a container, a runtime that allows the call pidfd_open",
    )
    .unless(probe.has_pidfd, "the end of a player is noticed at once")
}

fn clock(probe: &Probe) -> Diagnosis {
    Diagnosis::lacking(
        "clock",
        Condition::Poor,
        "players' processor time cannot be read",
        "fair time on a busy machine",
        "use --clock wall on an idle machine",
    )
    .unless(probe.has_clock, "players' processor time can be read")
}

fn children(probe: &Probe) -> Diagnosis {
    Diagnosis::lacking(
        "children",
        Condition::Fair,
        "the kernel does not count what the children of programs compute (perf_event_open)",
        "the time of children that live for less than 50 ms and are not waited for",
        "sysctl kernel.perf_event_paranoid=2; in a container, a runtime that allows the call perf_event_open",
    )
    .unless(probe.has_counter, "the kernel counts what the children of programs compute")
}

fn limits() -> Diagnosis {
    let Err(error) = check_limits(1) else {
        return Diagnosis::good("limits", "enough open files, address space and processor time for a game");
    };
    let remedy = "raise the limit in the shell or the service that starts the server";
    Diagnosis::lacking("limits", Condition::Poor, error.to_string(), "all games of libraries and programs", remedy)
}

fn memory() -> Diagnosis {
    const MIB: u64 = 1 << 20;
    if !proc_is_ours() {
        return Diagnosis::lacking(
            "memory",
            Condition::Fair,
            "/proc shows another PID namespace",
            "the check of players' memory in use: what they map is limited instead",
            "mount /proc anew, as unshare --mount-proc does",
        );
    }
    match available_memory() {
        Some(free) if free / 20 * 9 >= Limits::MEMORY => Diagnosis::good("memory", format!("{} MiB free", free / MIB)),
        Some(free) => Diagnosis::lacking(
            "memory",
            Condition::Fair,
            format!("{} MiB free: {} MiB for each player", free / MIB, free / 20 * 9 / MIB),
            "the usual 4096 MiB for each of two players",
            "choose a --memory that fits all simultaneous games",
        ),
        None => Diagnosis::lacking(
            "memory",
            Condition::Fair,
            "the kernel does not report how much is free",
            "the check that two players' limits fit",
            "choose --memory with care",
        ),
    }
}

fn cores() -> Diagnosis {
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let cores = available_parallelism().map_or(1, std::num::NonZero::get);
    Diagnosis::good("machine", format!("{cores} cores, Linux {}", kernel.trim()))
}

fn gsl() -> Diagnosis {
    Diagnosis::lacking(
        "gsl",
        Condition::Fair,
        "not found",
        "players that use the GNU Scientific Library",
        "install it (Debian: apt-get install libgsl-dev), or set GSL_PATH to its prefix",
    )
    .unless(has_gsl(), "found, for players that rely on it")
}
