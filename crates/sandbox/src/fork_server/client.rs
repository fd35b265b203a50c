use std::env;
use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::io::{Errno, retry_on_intr};
use rustix::net::{AddressFamily, RecvFlags, Shutdown, SocketFlags, SocketType, recv, shutdown, socketpair};
use rustix::process::Pid;

use super::wire::{FORK, ProcessEnd, REPLY_LEN, Reply};
use crate::error::{Error, named};
use crate::handover::send;
use crate::memory;
use crate::resource_watch::WatchList;
use crate::spec::TUNABLES;

/// Variables that the dynamic loader, our GSL look-up, coverage builds and panics need; no others are passed on.
const INHERITED: [&str; 4] = ["LD_LIBRARY_PATH", "GSL_PATH", "LLVM_PROFILE_FILE", "RUST_BACKTRACE"];
/// Target of unused standard streams.
const NULL: &str = "/dev/null";
const FIXED: [(&str, &str); 3] = [
    ("LANG", "C.UTF-8"),
    ("PATH", PROGRAM_PATH),
    // Space for the thread-local variables of libraries that are opened later, such as jemalloc.
    (TUNABLES, "glibc.rtld.optional_static_tls=262144"),
];

/// The PATH of programs.
pub(crate) const PROGRAM_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The minimum interval between reads of machine-wide figures, which are slow.
const SAMPLE_EVERY: Duration = Duration::from_secs(1);

/// A running fork server; dropping it ends it and all its children.
///
/// One fork server serves any number of games, but performs best with one.
#[derive(Debug)]
pub struct ForkServer {
    socket: Option<Mutex<OwnedFd>>,
    process: Mutex<Child>,
    /// The living processes.
    watch_list: Mutex<WatchList>,
    /// The kernel's count of out-of-memory kills when the last processes started.
    kernel_kills: Mutex<Sample>,
    is_shut_down: AtomicBool,
}

/// A kernel counter, and when it was read.
#[derive(Debug)]
struct Sample {
    at: Instant,
    count: Option<u64>,
}

impl Sample {
    fn kernel_kills() -> Self {
        Self { at: Instant::now(), count: memory::kernel_kills() }
    }
}

impl ForkServer {
    /// Starts an executable as a fork server: its `main` passes `argument` to [`crate::entry`].
    /// Fails when it cannot be run. A wrong executable only fails at the first fork.
    pub fn start(executable: &Path, argument: &str) -> Result<Arc<Self>, Error> {
        let pair = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None);
        let (ours, theirs) = pair.map_err(Error::system("connect a fork server"))?;
        let null = File::options().read(true).write(true).open(NULL).map_err(|error| Error::Missing(NULL, error))?;
        // No pre_exec or anything else that would make this a fork: its cost grows with the server's memory.
        let process = Command::new(executable)
            .arg0("amazons-players")
            .arg(argument)
            .env_clear()
            .envs(INHERITED.iter().filter_map(|name| Some((name, env::var_os(name)?))))
            .envs(FIXED)
            // Terminal signals must not reach it: it ends after the server, and cleans up first.
            .process_group(0)
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::from(null))
            .spawn()
            .map_err(|source| match source.kind() {
                io::ErrorKind::NotFound if executable.starts_with("/proc") => Error::Missing("/proc", source),
                _ => Error::Start { executable: executable.to_owned(), source: named(source) },
            })?;
        Ok(Arc::new(Self {
            socket: Some(Mutex::new(ours)),
            process: Mutex::new(process),
            watch_list: Mutex::default(),
            kernel_kills: Mutex::new(Sample::kernel_kills()),
            is_shut_down: AtomicBool::new(false),
        }))
    }

    /// Forks a process that reads from the first descriptor, replies to the second and prints to the third; it hands a
    /// descriptor over to the fourth, if there is one.
    pub(crate) fn fork(&self, descriptors: &[BorrowedFd<'_>]) -> Result<Pid, Error> {
        let mut sample = self.kernel_kills.lock().unwrap_or_else(PoisonError::into_inner);
        if sample.at.elapsed() > SAMPLE_EVERY {
            *sample = Sample::kernel_kills();
        }
        drop(sample);
        match self.ask(FORK, descriptors)? {
            Reply::Forked(pid) => Pid::from_raw(pid).ok_or_else(strange),
            Reply::Failed(errno) => Err(Error::system("fork a process")(io::Error::from_raw_os_error(errno))),
            _ => Err(strange()),
        }
    }

    /// Returns how a process ended, once; `None` while it runs, or if another process traces it.
    pub(crate) fn reap(&self, pid: Pid) -> Result<Option<ProcessEnd>, Error> {
        match self.ask(pid.as_raw_nonzero().get(), &[])? {
            Reply::NotYet => Ok(None),
            Reply::Ended(ending) => Ok(Some(ending)),
            Reply::Left(pid) => {
                let pid = Pid::from_raw(pid).ok_or_else(strange)?;
                Err(Error::Left { pid, source: io::ErrorKind::PermissionDenied.into() })
            }
            Reply::Forked(_) | Reply::Failed(_) => Err(strange()),
        }
    }

    /// Ends it and all its children, even if a thread waits for one of them; later calls fail.
    pub fn shut_down(&self) {
        self.is_shut_down.store(true, Ordering::Relaxed);
        if let Some(socket) = &self.socket {
            // A socket that cannot be shut down belongs to a fork server that has ended.
            let _ = shutdown(&*socket.lock().unwrap_or_else(PoisonError::into_inner), Shutdown::Both);
        }
    }

    /// Returns whether it was shut down: then its children did not end by themselves.
    pub fn is_shut_down(&self) -> bool {
        self.is_shut_down.load(Ordering::Relaxed)
    }

    /// Returns the kernel's count of out-of-memory kills shortly before the last process started, or later.
    pub fn kernel_kills(&self) -> Option<u64> {
        self.kernel_kills.lock().unwrap_or_else(PoisonError::into_inner).count
    }

    /// The living processes, for the thread waiting for one of them.
    pub(crate) fn watch_list(&self) -> MutexGuard<'_, WatchList> {
        self.watch_list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, request: i32, descriptors: &[BorrowedFd<'_>]) -> Result<Reply, Error> {
        let Some(socket) = &self.socket else { return Err(strange()) };
        let socket = socket.lock().unwrap_or_else(PoisonError::into_inner);
        // Only for our own output does a broken pipe mean that its reader has gone.
        let gone = |errno| {
            Error::ForkServer(match errno {
                Errno::PIPE => io::ErrorKind::UnexpectedEof.into(),
                errno => io::Error::from(errno),
            })
        };
        send(&*socket, &request.to_le_bytes(), descriptors).map_err(gone)?;
        let mut bytes = [0; REPLY_LEN];
        let received = retry_on_intr(|| recv(&*socket, &mut bytes[..], RecvFlags::empty()));
        match received.map_err(gone)?.0 {
            REPLY_LEN => Reply::decode(&bytes).ok_or_else(strange),
            _ => Err(Error::ForkServer(io::ErrorKind::UnexpectedEof.into())),
        }
    }
}

impl Drop for ForkServer {
    fn drop(&mut self) {
        // Without its socket it kills its remaining children and ends.
        self.socket = None;
        let _ = self.process.get_mut().unwrap_or_else(PoisonError::into_inner).wait();
    }
}

fn strange() -> Error {
    Error::ForkServer(io::ErrorKind::InvalidData.into())
}
