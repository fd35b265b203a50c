//! A player's process as the server sees it: started, spoken to, ended.

use std::env;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::path::{self, PathBuf};
use std::process::{self, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{MemfdFlags, OFlags, fcntl_setfl, memfd_create};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, pidfd_open, pidfd_send_signal,
    waitid,
};

use super::child::HOST_MODE;
use super::clock::{self, Deadline};
use super::config::SeatConfig;
use super::error::HostError;
use super::frame::{FrameError, REPLY_LEN, Reply};
use super::setup::SetUp;

/// Variables that the dynamic loader, our GSL look-up and coverage builds need; everything else stays with the server.
const INHERITED: [&str; 3] = ["LD_LIBRARY_PATH", "GSL_PATH", "LLVM_PROFILE_FILE"];
const FIXED: [(&str, &str); 2] = [("LANG", "C.UTF-8"), ("PATH", "/usr/local/bin:/usr/bin:/bin")];

/// Descriptors are closed a moment before a dying process is seen to be dead.
const DYING: Duration = Duration::from_millis(200);

/// A killed process is gone long before, unless somebody who traces it keeps it.
const REAPING: Duration = Duration::from_secs(1);

/// Nothing tells when a tracer lets go of a dead process, so that has to be asked from time to time.
const REAPING_PAUSE: Duration = Duration::from_millis(2);

/// Says why no reply came.
#[derive(Debug)]
pub(super) enum Silence {
    /// The deadline passed.
    Late,
    /// The process ended.
    Ended,
    /// The process lives, and has closed its end of the pipe.
    Disconnected,
    /// What came is no reply.
    Broken(FrameError),
    /// We failed.
    Host(HostError),
}

/// Says how a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// It called `exit` with this status.
    Exited(i32),
    /// This signal ended it.
    Killed(i32),
    /// The kernel tells somebody else: another process traces it.
    Untold,
}

impl From<WaitIdStatus> for Ending {
    fn from(status: WaitIdStatus) -> Self {
        let exited = status.exit_status().map(Self::Exited);
        exited.or(status.terminating_signal().map(Self::Killed)).unwrap_or(Self::Untold)
    }
}

/// A running process with its pipes and its log; dropping it kills it and all of its process group.
///
/// The process also ends with the *thread* that started it, so that thread must live as long as the game.
#[derive(Debug)]
pub(super) struct Process {
    pid: Pid,
    pidfd: OwnedFd,
    requests: OwnedFd,
    // As long as we hold this ourselves, writing to a process that died raises no SIGPIPE.
    _requests_end: OwnedFd,
    replies: OwnedFd,
    log: File,
    log_limit: u64,
    unsent: Vec<u8>,
    sent: usize,
    ending: Option<Ending>,
}

impl Process {
    /// Starts a process and sends it the set-up, or as much of it as a pipe holds.
    pub(super) fn start(config: &SeatConfig<'_>) -> Result<Self, HostError> {
        let unsent = set_up_message(config)?;
        let make_pipe = || pipe_with(PipeFlags::CLOEXEC).map_err(HostError::system("make a pipe"));
        let (requests_end, requests) = make_pipe()?;
        let (replies, replies_end) = make_pipe()?;
        for end in [&requests, &replies] {
            fcntl_setfl(end, OFlags::NONBLOCK).map_err(HostError::system("set up a pipe"))?;
        }
        let log = memfd_create("amazons-log", MemfdFlags::CLOEXEC).map_err(HostError::system("make a log"))?;
        let child_end = |end: &OwnedFd| {
            let copy = end.try_clone();
            copy.map(Stdio::from).map_err(|source| HostError::System { attempt: "copy a descriptor", source })
        };
        // No pre_exec and nothing else that would make this a fork: its cost grows with the server's memory.
        let child = Command::new(&config.executable)
            .arg0("amazons-player")
            .args([HOST_MODE, &process::id().to_string()])
            .env_clear()
            .envs(INHERITED.iter().filter_map(|name| Some((name, env::var_os(name)?))))
            .envs(FIXED)
            .envs(config.environment())
            .stdin(child_end(&requests_end)?)
            .stdout(Stdio::from(replies_end))
            .stderr(child_end(&log)?)
            .spawn()
            .map_err(|source| HostError::Start { executable: config.executable.clone(), source })?;
        let pid = Pid::from_child(&child);
        let pidfd = pidfd_open(pid, PidfdFlags::empty()).map_err(|errno| {
            // Without a pidfd there is no Process yet that would clean up.
            let _ = rustix::process::kill_process(pid, Signal::KILL);
            let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED);
            HostError::system("watch a process")(errno)
        })?;
        let mut process = Self {
            pid,
            pidfd,
            requests,
            _requests_end: requests_end,
            replies,
            log: File::from(log),
            log_limit: config.limits.log,
            unsent,
            sent: 0,
            ending: None,
        };
        process.write_some()?;
        Ok(process)
    }

    /// Sends bytes after those that are still to be sent, waiting for room as long as the process lives.
    pub(super) fn send(&mut self, bytes: &[u8], deadline: Deadline) -> Result<(), Silence> {
        self.unsent.extend_from_slice(bytes);
        while !self.write_some()? {
            let events = self.wait(self.requests.as_fd(), PollFlags::OUT, deadline)?;
            if events.ended {
                // It may have said why: that is for `receive` to find out.
                return Ok(());
            }
            if events.late {
                return Err(Silence::Late);
            }
        }
        Ok(())
    }

    /// Waits for a reply. One that is complete counts, even if the process ended right after it.
    pub(super) fn receive(&mut self, deadline: Deadline) -> Result<Reply, Silence> {
        loop {
            let events = self.wait(self.replies.as_fd(), PollFlags::IN, deadline)?;
            let mut frame = [0; REPLY_LEN];
            match rustix::io::read(&self.replies, &mut frame[..]) {
                Ok(0) if events.ended || self.ends_within(DYING)? => return Err(Silence::Ended),
                Ok(0) => return Err(Silence::Disconnected),
                Ok(len) => {
                    let frame = frame.get(..len).unwrap_or_default();
                    return Reply::decode(frame).map_err(Silence::Broken);
                }
                Err(Errno::AGAIN) if events.ended => return Err(Silence::Ended),
                Err(Errno::AGAIN) if events.late => return Err(Silence::Late),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(errno) => return Err(Silence::Host(HostError::system("read a reply")(errno))),
            }
        }
    }

    /// Kills the process and whatever it has started in its group, and says how it ended, itself or by us.
    ///
    /// Takes [`REAPING`] at most, and only the first time.
    pub(super) fn end(&mut self) -> Result<Ending, HostError> {
        if let Some(ending) = self.ending {
            return Ok(ending);
        }
        // Once only, even if it fails: the number may belong to somebody else afterwards.
        self.ending = Some(Ending::Untold);
        // A process that ended already stays as it ended. Its number, and so the group's, is ours until `waitid`.
        if pidfd_send_signal(&self.pidfd, Signal::KILL).is_ok() {
            let _ = kill_process_group(self.pid, Signal::KILL);
        }
        let ending = self.reap()?;
        self.ending = Some(ending);
        Ok(ending)
    }

    /// Never waits for the process without a bound: a player can have itself traced, and then its tracer comes first.
    fn reap(&self) -> Result<Ending, HostError> {
        let end = Instant::now() + REAPING;
        self.ends_within(REAPING)?;
        loop {
            match waitid(WaitId::PidFd(self.pidfd.as_fd()), WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {
                Ok(Some(status)) => return Ok(status.into()),
                Ok(None) if Instant::now() < end => thread::sleep(REAPING_PAUSE),
                Ok(None) => return Ok(Ending::Untold),
                Err(Errno::INTR) => {}
                Err(errno) => return Err(HostError::system("learn how a process ended")(errno)),
            }
        }
    }

    /// The processor time that the process has used.
    pub(super) fn cpu_time(&self) -> Duration {
        clock::process_time(self.pid)
    }

    /// What the process has printed.
    pub(super) fn log(&self) -> Vec<u8> {
        let len = self.log.metadata().map_or(0, |metadata| metadata.len().min(self.log_limit));
        let mut bytes = vec![0; usize::try_from(len).unwrap_or(0)];
        let read = self.log.read_at(&mut bytes, 0).unwrap_or(0);
        bytes.truncate(read);
        bytes
    }

    /// Writes what is unsent, as far as there is room; answers whether all is sent.
    fn write_some(&mut self) -> Result<bool, HostError> {
        while let Some(rest) = self.unsent.get(self.sent..).filter(|rest| !rest.is_empty()) {
            match rustix::io::write(&self.requests, rest) {
                Ok(len) => self.sent += len,
                Err(Errno::AGAIN) => return Ok(false),
                Err(Errno::INTR) => {}
                Err(errno) => return Err(HostError::system("send a request")(errno)),
            }
        }
        self.unsent.clear();
        self.sent = 0;
        Ok(true)
    }

    fn wait(&self, pipe: BorrowedFd<'_>, event: PollFlags, deadline: Deadline) -> Result<Events, HostError> {
        let mut fds = [PollFd::from_borrowed_fd(pipe, event), PollFd::new(&self.pidfd, PollFlags::IN)];
        loop {
            match poll(&mut fds, deadline.remaining().as_ref()) {
                Ok(ready) => {
                    return Ok(Events { late: ready == 0, ended: !fds[1].revents().is_empty() });
                }
                Err(Errno::INTR) => {}
                Err(errno) => return Err(HostError::system("wait")(errno)),
            }
        }
    }

    /// Tells whether the process is gone within this time.
    fn ends_within(&self, limit: Duration) -> Result<bool, HostError> {
        let nothing = PollFlags::empty();
        // A pipe that nobody writes to any more is always ready, so only the pidfd is asked.
        self.wait(self.pidfd.as_fd(), nothing, Deadline::after(limit)).map(|events| events.ended)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Nobody is left to be told.
        let _ = self.end();
    }
}

impl From<HostError> for Silence {
    fn from(error: HostError) -> Self {
        Self::Host(error)
    }
}

/// What a wait ended with.
struct Events {
    late: bool,
    ended: bool,
}

fn set_up_message(config: &SeatConfig<'_>) -> Result<Vec<u8>, HostError> {
    Ok(SetUp::encode(
        &absolute(&config.path)?,
        config.abi_id,
        config.seed,
        config.limits.log,
        config.matrix,
        config.queens,
    ))
}

/// A path that means the same in every process, and that the dynamic loader does not take for a name to search for.
pub(super) fn absolute(path: &path::Path) -> Result<PathBuf, HostError> {
    path::absolute(path).map_err(|source: io::Error| HostError::Path { path: path.to_owned(), source })
}
