//! Finds out what this machine offers by trying it.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::confinement::SandboxMode;
use super::error::Error;
use super::fork_server::ForkServer;
use super::process::Process;
use super::sandbox::Sandbox;
use super::shared_core::Cores;
use super::spec::{ProcessSpec, Task};

/// The confinement and the features for processes on this machine.
#[derive(Debug)]
pub struct Probe {
    /// The confinement, or why it is not enough.
    pub sandbox: Result<Sandbox, Error>,
    /// The shortest time until a process was ready for foreign code.
    pub start: Duration,
    /// Whether the kernel wakes the caller when a process ends.
    pub has_pidfd: bool,
    /// Whether a process's processor time can be read.
    pub has_clock: bool,
}

/// How many starts to time; the fastest counts.
const STARTS: u32 = 10;

impl Probe {
    /// Starts processes that run nothing foreign.
    ///
    /// # Errors
    /// When not even that works.
    pub fn run(parent: &Arc<ForkServer>) -> Result<Self, Error> {
        let mut probe = Self::once(parent)?;
        for _ in 1..STARTS {
            probe.start = probe.start.min(Self::once(parent)?.start);
        }
        Ok(probe)
    }

    fn once(parent: &Arc<ForkServer>) -> Result<Self, Error> {
        let spec = ProcessSpec {
            path: "/dev/null".into(),
            task: Task::Probe,
            environment: Vec::new(),
            sandbox: SandboxMode::Auto,
            allow_read: Vec::new(),
            threads: 1,
            log_limit: 1 << 20,
            memory: 4 << 30,
        };
        let clock = Instant::now();
        let mut process = Process::start(parent, spec, Cores::All, |_| ())?;
        let sandbox = process.await_ready();
        let start = clock.elapsed();
        let (has_pidfd, has_clock) = (process.has_pidfd(), process.cpu_time() > Duration::ZERO);
        match sandbox {
            Err(error) if !matches!(error, Error::Refused(_)) => Err(error),
            sandbox => Ok(Self { sandbox, start, has_pidfd, has_clock }),
        }
    }
}

/// Returns whether the kernel has Landlock built in but switched off.
#[must_use]
pub fn is_landlock_disabled() -> bool {
    const VERSION: libc::c_ulong = 1;
    // SAFETY: with this flag and without rules, the call only returns a number.
    let answer = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0_usize, VERSION) };
    answer == -1 && io::Error::last_os_error().raw_os_error() == Some(libc::EOPNOTSUPP)
}
