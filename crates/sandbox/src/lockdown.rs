//! Everything that a process gives up before it runs foreign code, besides the sandbox.

use std::cell::UnsafeCell;
use std::ffi::c_int;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use rustix::fs::{Mode, OFlags};
use rustix::io::fcntl_dupfd_cloexec;
use rustix::process::{Pid, Resource, Rlimit, Signal};

use super::confinement;
use super::error::StepError;
use super::limits::{limit_of, soft_limit};
use super::memory::proc_is_ours;
use super::sandbox::SandboxUser;
use super::spec::{ProcessSpec, ProcessTask};

/// Enough for players that keep 12 bytes for every pair of vertices on the stack.
const STACK_LIMIT: u64 = 64 << 20;

/// Maximum number of open descriptors of a player, and of another program.
const FILES_LIMIT: u64 = 64;
const PROGRAM_FILES_LIMIT: u64 = 256;

/// Maximum number of threads and processes of another program.
pub const FAMILY_LIMIT: u32 = 64;

/// Seconds of processor time for reading debug information; the caller gives up much earlier.
const LOCATING_SECONDS: u64 = 10;

/// How many times its memory limit a process may map as its own: some reserve gigabytes but use few pages.
const DATA_FACTOR: u64 = 4;
const DATA_AT_LEAST: u64 = 16 << 30;

/// The limit on all mappings: the kernel's page tables for them, which do not count, take at most a 512th of that.
const MAPPED_LIMIT: u64 = 64 << 30;

/// Maximum number of pending signals of a player, including its timers.
const SIGNALS_LIMIT: u64 = 64;

/// Makes C's `stdout` line-buffered wherever it leads.
const LINE_BUFFERED: c_int = 1;

/// The descriptor numbers in a player's process.
const REQUESTS: RawFd = 3;
const REPLIES: RawFd = 4;
const FIRST_FREE: RawFd = 5;

/// The fork server's own descriptors start here, out of the way.
const FIRST_OWN: RawFd = 16;

/// Descriptors prepared once and inherited by all processes.
#[derive(Debug)]
pub(crate) struct Template {
    /// The files and folders that every player may read.
    pub(crate) readable: Vec<OwnedFd>,
    /// Whether this process could end a child of another user.
    pub(crate) can_end_others: bool,
}

impl Template {
    /// Prepares this process for forking the players'.
    pub(crate) fn prepare() -> Result<Self, StepError> {
        let can_end_others = confinement::can_end_others();
        // Found out once for all forks.
        let _ = proc_is_ours();
        // When memory runs out, a player should be killed rather than anything else. Later this process no longer owns
        // the file.
        let _ = fs::write("/proc/self/oom_score_adj", "1000");
        // Keeps out debuggers and other processes of this user; forks inherit it. Where /proc hides such processes from
        // their own user, the server could not limit their memory.
        if confinement::is_root() || File::open("/proc/1/stat").is_ok() {
            rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)
                .map_err(StepError::at("prctl(PR_SET_DUMPABLE)"))?;
        }
        let readable = confinement::readable_by_all().into_iter().map(out_of_the_way).collect::<io::Result<_>>();
        Ok(Self { readable: readable.map_err(StepError::at("fcntl(F_DUPFD)"))?, can_end_others })
    }
}

/// Moves a descriptor out of the way of a player's.
pub(crate) fn out_of_the_way(descriptor: OwnedFd) -> io::Result<OwnedFd> {
    Ok(fcntl_dupfd_cloexec(descriptor, FIRST_OWN)?)
}

/// The streams for a player's requests, replies and output.
#[derive(Debug)]
pub(crate) struct Streams {
    pub(crate) requests: OwnedFd,
    pub(crate) replies: OwnedFd,
    pub(crate) log: OwnedFd,
    /// Where the process sends the counter of its processor time, or what tells its refusals.
    pub(crate) counter: Option<OwnedFd>,
}

impl Streams {
    /// Puts the streams in place: standard input becomes empty, standard output and error go to the log.
    ///
    /// Returns the ends for requests and replies. Other descriptors with their numbers are closed: this process has
    /// just been forked, and no code in it uses them any more. The streams themselves must not be closed afterwards.
    pub(crate) fn arrange(&self) -> io::Result<[File; 2]> {
        // Opened by each process: players could exchange messages through the flags of a shared one.
        let null = rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
        let [requests, replies, log, null] =
            [&self.requests, &self.replies, &self.log, &null].map(|stream| fcntl_dupfd_cloexec(stream, FIRST_OWN));
        let (requests, replies, log, null) = (requests?, replies?, log?, null?);
        for (from, to) in [(&null, 0), (&log, 1), (&log, 2)] {
            place(from, to, 0)?;
        }
        place(&requests, REQUESTS, libc::O_CLOEXEC)?;
        place(&replies, REPLIES, libc::O_CLOEXEC)?;
        // SAFETY: the number was just given to this pipe, and has no other owner.
        let requests = unsafe { File::from_raw_fd(REQUESTS) };
        // SAFETY: as above.
        let replies = unsafe { File::from_raw_fd(REPLIES) };
        Ok([requests, replies])
    }
}

/// Makes the two pipes standard input and output, for a program that replaces this process.
pub(crate) fn become_standard(requests: BorrowedFd<'_>, replies: BorrowedFd<'_>) -> io::Result<()> {
    place(&requests, 0, 0)?;
    place(&replies, 1, 0)
}

/// Also gives a descriptor's file another number.
fn place(from: &impl AsRawFd, to: RawFd, flags: c_int) -> io::Result<()> {
    // SAFETY: the overwritten number belongs to a fresh process, where no code relies on it.
    match unsafe { libc::dup3(from.as_raw_fd(), to, flags) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Closes every descriptor but the standard streams, the two pipes, and `kept`.
pub(crate) fn close_others(kept: Option<RawFd>) -> io::Result<()> {
    let Some(kept) = kept else { return close_from(FIRST_FREE) };
    if kept > FIRST_FREE {
        close(FIRST_FREE, kept.cast_unsigned() - 1)?;
    }
    close_from(kept + 1)
}

/// Closes this descriptor and all with higher numbers; no owner may use them any more.
pub(crate) fn close_from(first: RawFd) -> io::Result<()> {
    close(first, u32::MAX)
}

fn close(first: RawFd, last: u32) -> io::Result<()> {
    // SAFETY: the closed ones come from this process's parents, whose code never runs in it again.
    match unsafe { libc::close_range(first.cast_unsigned(), last, 0) } {
        0 => Ok(()),
        // Kernels before 5.9 lack the call, and containers refuse unknown ones.
        _ => close_each(first, last),
    }
}

/// Closes descriptors one by one.
fn close_each(first: RawFd, last: u32) -> io::Result<()> {
    let listed = fs::read_dir("/proc/self/fd")?.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let open: Vec<RawFd> =
        listed.filter(|number| (first..=i32::try_from(last).unwrap_or(RawFd::MAX)).contains(number)).collect();
    for number in open {
        // SAFETY: as for the whole range. The list's own descriptor is already closed, so closing it again only fails.
        unsafe { libc::close(number) };
    }
    Ok(())
}

/// Ends this process with its parent; call it after the last change of user, which would undo it.
pub(crate) fn follow(parent: Pid) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // A parent that ended before the line above sends no signal.
    if rustix::process::getppid() != Some(parent) {
        return Err(io::Error::other("the server is gone"));
    }
    Ok(())
}

/// Limits the process's resources, and resets signals and C's `stdout`.
pub(crate) fn restrict(spec: &ProcessSpec) -> io::Result<()> {
    let files = if spec.task.arguments().is_some() { PROGRAM_FILES_LIMIT } else { FILES_LIMIT };
    let data = match spec.task {
        ProcessTask::Locate(_) => spec.memory,
        // The server cannot see the memory that it maps this way.
        _ if !proc_is_ours() => spec.memory,
        ProcessTask::Serve | ProcessTask::Run(_) | ProcessTask::Build(_) | ProcessTask::Probe => {
            let [data, _] = mapping_limits(spec.memory);
            data
        }
    };
    // A log may grow as long, but counts only up to its own limit.
    let longest = if matches!(spec.task, ProcessTask::Run(_)) {
        spec.log_limit.max(confinement::TEMPORARY_LEN)
    } else {
        spec.log_limit
    };
    // For players, this limit would make the process's own clock advance in steps of a timer tick, useless for
    // timekeeping.
    let locating = matches!(spec.task, ProcessTask::Locate(_)).then_some((Resource::Cpu, LOCATING_SECONDS));
    let limits = [
        (Resource::Core, 0),
        (Resource::Fsize, longest),
        (Resource::Nofile, files),
        (Resource::Data, data),
        (Resource::As, all_mappings(data)),
        (Resource::Memlock, 0),
        (Resource::Msgqueue, 0),
        (Resource::Sigpending, SIGNALS_LIMIT),
    ];
    for (resource, limit) in limits.into_iter().chain(locating) {
        let (limit, _) = possible(resource, limit)?;
        set_limit(resource, limit, Some(limit))?;
    }
    let (stack_limit, maximum) = possible(Resource::Stack, STACK_LIMIT)?;
    // The kernel lets the main thread's stack grow to the current limit, so no restart is needed.
    set_limit(Resource::Stack, stack_limit, maximum)?;
    reset_signals();
    buffer_lines();
    Ok(())
}

/// Returns how many bytes a process with this memory limit may map as its own, and in all.
#[must_use]
pub fn mapping_limits(memory: u64) -> [u64; 2] {
    let data = memory.saturating_mul(DATA_FACTOR).max(DATA_AT_LEAST);
    [data, all_mappings(data)]
}

fn all_mappings(data: u64) -> u64 {
    data.saturating_mul(2).max(MAPPED_LIMIT)
}

/// Limits the threads and processes of a user that no other process has; the kernel counts them per user.
pub(crate) fn restrict_threads(user: SandboxUser, threads: u32) -> io::Result<()> {
    if user != SandboxUser::Stranger {
        return Ok(());
    }
    // A thread that only waits for the others costs nothing.
    let limit = if threads == 1 { 1 } else { u64::from(threads) + 1 };
    set_limit(Resource::Nproc, limit, Some(limit))
}

/// Gives this process's main thread the stack that libraries get in their own processes; never shrinks it.
/// Fails when the kernel refuses it.
pub fn raise_stack_limit() -> io::Result<()> {
    let (wanted, maximum) = possible(Resource::Stack, STACK_LIMIT)?;
    match soft_limit(Resource::Stack) {
        Some(current) if current < wanted => set_limit(Resource::Stack, wanted, maximum),
        _ => Ok(()),
    }
}

/// Returns as much of a limit as the hard limit (the second value) allows: only root can raise that.
fn possible(resource: Resource, wanted: u64) -> io::Result<(u64, Option<u64>)> {
    let maximum = limit_of(resource)?.maximum;
    Ok((maximum.map_or(wanted, |max| max.min(wanted)), maximum))
}

fn set_limit(resource: Resource, current: u64, maximum: Option<u64>) -> io::Result<()> {
    let limit = Rlimit { current: Some(current), maximum };
    Ok(rustix::process::setrlimit(resource, limit)?)
}

/// Undoes changes to signals by the Rust runtime or the server's ancestors; a full log must not end the process.
fn reset_signals() {
    for signal in 1..=libc::SIGRTMAX() {
        let action = if signal == libc::SIGXFSZ { libc::SIG_IGN } else { libc::SIG_DFL };
        // SAFETY: neither action runs code. The few signals that cannot be set need no reset.
        unsafe { libc::signal(signal, action) };
    }
}

/// Makes C's `stdout` write whole lines, so the last output of a crashing player is in its log.
fn buffer_lines() {
    unsafe extern "C" {
        static stdout: *mut libc::FILE;
    }
    // SAFETY: the C library initializes its stream before main and never changes the pointer; players are not loaded
    // yet.
    let stream = unsafe { stdout };
    // Without our own buffer, the player's first line would allocate memory that is never freed.
    static BUFFER: StdoutBuffer = StdoutBuffer(UnsafeCell::new([0; BUFFER_LEN]));
    // SAFETY: nothing has been written to the stream; the buffer lives as long as the process, only for the stream.
    unsafe { libc::setvbuf(stream, BUFFER.0.get().cast(), LINE_BUFFERED, BUFFER_LEN) };
}

/// The C library's usual size.
const BUFFER_LEN: usize = 4096;

/// Memory that belongs to C's `stdout`.
struct StdoutBuffer(UnsafeCell<[u8; BUFFER_LEN]>);

// SAFETY: only the C library touches it, under the stream's own lock.
unsafe impl Sync for StdoutBuffer {}
