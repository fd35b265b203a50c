//! Finds out what this machine supports by trying it.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::confinement::SandboxMode;
use super::error::Error;
use super::fork_server::ForkServer;
use super::process::Process;
use super::sandbox::Sandbox;
use super::shared_core::Cores;
use super::spec::{ProcessSpec, ProcessTask};

/// The confinement and the features available to processes on this machine.
#[derive(Debug)]
pub struct Probe {
    /// The confinement with [`SandboxMode::Auto`], or why it is refused; the rest is then measured without a sandbox.
    pub sandbox: Result<Sandbox, Error>,
    /// The shortest time from start to ready for foreign code.
    pub start: Duration,
    /// Whether the kernel wakes the caller when a process ends.
    pub has_pidfd: bool,
    /// Whether a process's processor time can be read.
    pub has_clock: bool,
    /// Whether the kernel counts the processor time of a program's children.
    pub has_counter: bool,
}

/// How many starts to time; the fastest counts.
const STARTS: u32 = 10;

impl Probe {
    /// Starts processes that run no foreign code. Fails when even that fails.
    pub fn run(parent: &Arc<ForkServer>) -> Result<Self, Error> {
        let (mut probe, mode) = match Self::once(parent, SandboxMode::Auto) {
            Ok(probe) => (probe, SandboxMode::Auto),
            // What does not depend on the sandbox is reported as it is.
            Err(refused) => match Self::once(parent, SandboxMode::Off) {
                Ok(probe) => (Self { sandbox: Err(refused), ..probe }, SandboxMode::Off),
                Err(_) => return Err(refused),
            },
        };
        for _ in 1..STARTS {
            probe.start = probe.start.min(Self::once(parent, mode)?.start);
        }
        Ok(probe)
    }

    fn once(parent: &Arc<ForkServer>, sandbox: SandboxMode) -> Result<Self, Error> {
        let spec = ProcessSpec {
            path: "/dev/null".into(),
            task: ProcessTask::Probe,
            environment: Vec::new(),
            sandbox,
            allow_read: Vec::new(),
            threads: 1,
            log_limit: 1 << 20,
            memory: 4 << 30,
        };
        let clock = Instant::now();
        let mut process = Process::start(parent, spec, Cores::All, |_| ())?;
        let sandbox = Ok(process.await_ready()?);
        let start = clock.elapsed();
        let (has_pidfd, has_clock) = (process.has_pidfd(), process.cpu_time() > Duration::ZERO);
        let has_counter = process.has_counter();
        process.end()?;
        Ok(Self { sandbox, start, has_pidfd, has_clock, has_counter })
    }
}

/// Returns why system calls cannot be filtered, by asking whether one kind of filter is available.
#[must_use]
pub fn seccomp_error() -> Option<io::Error> {
    let action: *const u32 = &libc::SECCOMP_RET_KILL_PROCESS;
    // SAFETY: the kernel reads one number, which is there.
    let answer = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, action) };
    (answer == -1).then(io::Error::last_os_error)
}
