//! A child of the fork server: reads its task, drops what foreign code must not have, and starts work.

use std::env;
use std::error::Error;
use std::ffi::{CString, OsStr, OsString, c_int};
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, IntoRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::Pid;

use super::bytes::SetUpError;
use super::confinement::{self, SandboxMode, Subject, Telling, Threads, Writing};
use super::crash;
use super::error::StepError;
use super::lockdown::{self, Streams, Template};
use super::notice::{Notice, NoticeKind};
use super::refusals::Refusals;
use super::sandbox::{Sandbox, SandboxUser};
use super::spec::{ProcessSpec, ProcessTask, TUNABLES};
use super::symbols::{LIBRARY_MAX, locate};
use super::task_clock::TaskClock;
use super::text::error_chain;

/// The exit status of a process that finds its pipes damaged.
pub const DISCONNECTED: c_int = 121;

/// The exit status of a process that could not be set up; no foreign code ran.
const NOT_SET_UP: c_int = 122;

/// A home that does not exist: some languages fail without one, and ignore a missing one, but not a closed one.
const NO_HOME: &str = "/nonexistent";

/// Reads the caller's own message after the [`ProcessSpec`], before the process is confined.
pub type Prepare = fn(&mut dyn Read) -> Result<Serve, Box<dyn Error + Send + Sync>>;

/// Opens the library by this name, and answers requests from the first pipe on the second.
///
/// An error means that the pipes are damaged. The caller must keep anything that must not be dropped on return, such as
/// the library.
pub type Serve = Box<dyn FnOnce(&Path, &mut File, &mut File) -> io::Result<()>>;

/// The [`Prepare`] for callers that only run programs.
///
/// # Errors
/// Always.
pub fn no_library(_: &mut dyn Read) -> Result<Serve, Box<dyn Error + Send + Sync>> {
    Err("this executable cannot serve libraries".into())
}

/// Why a process could not be set up.
#[derive(Debug, thiserror::Error)]
enum ConfineError {
    #[error("the player's process cannot be confined")]
    Confine(#[from] StepError),
    #[error("players' processes cannot be prepared: {0}")]
    Template(String, bool),
    #[error("{0}")]
    TooLittle(String),
    #[error("--allow-read: cannot open {path}: {source}", path = .path.display())]
    AllowRead { path: PathBuf, source: io::Error },
    #[error(
        "--allow-read: the players' user may not read {path} or enter a folder above it: open them with chmod o+rX",
        path = .0.display()
    )]
    Closed(PathBuf),
    #[error(transparent)]
    SetUp(#[from] SetUpError),
    #[error(transparent)]
    Prepare(Box<dyn Error + Send + Sync>),
}

impl ConfineError {
    /// Returns whether a retry would fail in the same way.
    fn is_lasting(&self) -> bool {
        match self {
            Self::TooLittle(_) | Self::Closed(_) => true,
            Self::Template(_, is_lasting) => *is_lasting,
            Self::Confine(error) => error.is_lasting(),
            Self::AllowRead { .. } | Self::SetUp(_) | Self::Prepare(_) => false,
        }
    }
}

/// Performs a process's task; a fork calls this instead of returning.
pub(crate) fn run(prepare: Prepare, template: &Result<Template, StepError>, parent: Pid, streams: Streams) -> ! {
    let status = match set_up(prepare, template, parent, streams) {
        Ok((work, path, pipes)) => {
            // Never dropped: the pipes may be closed already.
            let [requests, replies] = &mut *ManuallyDrop::new(pipes);
            work(&path, requests, replies).map_or(DISCONNECTED, |()| 0)
        }
        Err(_) => NOT_SET_UP,
    };
    // No more foreign code may run, not even atexit functions. SAFETY: `_exit` has no preconditions.
    unsafe { libc::_exit(status) }
}

/// Prepares the process and reports the result to its parent; returns its work, and the name to open the library by.
fn set_up(
    prepare: Prepare,
    template: &Result<Template, StepError>,
    parent: Pid,
    streams: Streams,
) -> io::Result<(Serve, PathBuf, [File; 2])> {
    // Some of their numbers are given to others.
    let mut streams = ManuallyDrop::new(streams);
    let arranged = match template {
        Ok(template) => Ok(template),
        Err(error) => Err(ConfineError::Template(error_chain(error), error.is_lasting())),
    }
    .and_then(|template| Ok((template, streams.arrange().map_err(StepError::at("open /dev/null"))?)));
    let (template, [mut requests, mut replies]) = match arranged {
        Ok(arranged) => arranged,
        Err(failure) => return Err(tell(&streams.replies, &failure)),
    };
    match prepared(prepare, template, parent, &mut requests, replies.as_fd(), streams.counter.take()) {
        Ok((work, path, sandbox)) => {
            send(&mut replies, NoticeKind::Ready, serde_json::to_vec(&sandbox).unwrap_or_default())?;
            Ok((work, path, [requests, replies]))
        }
        Err(failure) => {
            eprintln!("{}", error_chain(&failure));
            Err(tell(&replies, &failure))
        }
    }
}

/// Reports a failure to the parent; returns an error for this process.
fn tell(replies: impl AsFd, failure: &ConfineError) -> io::Error {
    let kind = if failure.is_lasting() { NoticeKind::Refused } else { NoticeKind::Failed };
    let notice = Notice { kind, text: error_chain(failure).into_bytes() };
    match rustix::io::write(replies, &notice.encode()) {
        Ok(_) => io::Error::other("not set up"),
        Err(errno) => errno.into(),
    }
}

fn prepared(
    prepare: Prepare,
    template: &Template,
    parent: Pid,
    requests: &mut File,
    replies: BorrowedFd<'_>,
    counter: Option<OwnedFd>,
) -> Result<(Serve, PathBuf, Sandbox), ConfineError> {
    // Out of the server's session and process group.
    rustix::process::setsid().map_err(StepError::at("setsid"))?;
    let spec = ProcessSpec::read(&mut *requests)?;
    let work: Serve = match &spec.task {
        ProcessTask::Serve => prepare(requests).map_err(ConfineError::Prepare)?,
        ProcessTask::Run(_) | ProcessTask::Build(_) => {
            let arguments = spec.task.arguments().unwrap_or_default().to_vec();
            Box::new(move |path, requests, replies| run_program(path, &arguments, requests, replies))
        }
        ProcessTask::Locate(offsets) => {
            let offsets = offsets.clone();
            Box::new(move |path, _, replies| tell_places(path, &offsets, replies))
        }
        // Its parent ends it.
        ProcessTask::Probe => Box::new(|_, requests, _| requests.read(&mut [0]).map(|_| ())),
    };
    // Must come before this user loses the right to.
    let telling = match counter {
        Some(socket) if spec.tells_refusals() && Refusals::hand_over(&socket, spec.threads) => Telling::Elsewhere,
        Some(socket) if !spec.tells_refusals() => {
            TaskClock::hand_over(&socket);
            Telling::Silent
        }
        _ => Telling::Silent,
    };
    let temporary = matches!(spec.task, ProcessTask::Run(_))
        && spec.sandbox != SandboxMode::Off
        && confinement::landlock_error().is_none()
        && confinement::make_temporary(&spec.allow_read);
    let (path, sandbox) = confine(template, parent, &spec, replies, (telling, temporary))?;
    Ok((work, path, sandbox))
}

/// Drops everything that foreign code must not have; returns the name to open the library by.
fn confine(
    template: &Template,
    parent: Pid,
    spec: &ProcessSpec,
    replies: BorrowedFd<'_>,
    (telling, temporary): (Telling, bool),
) -> Result<(PathBuf, Sandbox), ConfineError> {
    let folder = spec.task.folder();
    let temporary = temporary.then_some(confinement::TEMPORARY);
    let subject = match spec.task.arguments() {
        Some(_) if folder.is_some() => Subject::Builder,
        Some(_) => Subject::Program,
        None => Subject::Player,
    };
    // All descriptors are closed at once below: their owners must not close them again.
    let mut readable = ManuallyDrop::new(Vec::new());
    for path in &spec.allow_read {
        let opened = confinement::open(path);
        readable.push(opened.map_err(|source| ConfineError::AllowRead { path: path.clone(), source })?);
    }
    readable.extend(confinement::OWN.iter().filter_map(|path| confinement::open(Path::new(path)).ok()));
    // The loader reports missing files.
    match subject {
        Subject::Player => readable.extend(confinement::open(&spec.path)),
        Subject::Program | Subject::Builder => readable.extend(confinement::runnable_by_all()),
    }
    if subject != Subject::Player {
        // Space in each thread's stack that only libraries opened later need. SAFETY: this process has one thread.
        unsafe { env::remove_var(TUNABLES) };
    }
    if subject != Subject::Player {
        let home = temporary.unwrap_or(NO_HOME);
        let own = [("HOME", Some(home)), ("TMPDIR", temporary)].into_iter();
        set_environment(own.filter_map(|(name, value)| Some(format!("{name}={}", value?).into())));
    }
    set_environment(spec.environment.iter().cloned());
    // Opened while that is still allowed.
    let library = if subject == Subject::Program { None } else { File::open(&spec.path).ok() };
    let user = match spec.sandbox {
        SandboxMode::Off => confinement::unchanged_user(),
        SandboxMode::Strict | SandboxMode::Auto => {
            confinement::give_up_root(template.can_end_others, folder).map_err(StepError::at("change the user"))?
        }
    };
    if spec.sandbox == SandboxMode::Strict && user == SandboxUser::Root {
        return Err(ConfineError::TooLittle(
            "the players would run as root, which --sandbox strict forbids: start the server as another user, or with \
             the rights to change users and to end their processes (CAP_SETUID, CAP_SETGID, CAP_KILL)"
                .to_owned(),
        ));
    }
    lockdown::follow(parent).map_err(StepError::at("prctl(PR_SET_PDEATHSIG)"))?;
    let lost_rights = user != SandboxUser::Ordinary && spec.sandbox != SandboxMode::Off;
    // What a program may read was not all named by a person.
    let closed = spec.allow_read.iter().find(|path| subject == Subject::Player && lost_rights && !may_read(path));
    if let Some(path) = closed {
        return Err(ConfineError::Closed(path.clone()));
    }
    let kept =
        keep_unless_reachable(&spec.path, library.filter(|_| lost_rights)).map_err(StepError::at("keep it open"))?;
    let path = kept.map_or_else(|| spec.path.clone(), name_of_descriptor);
    let writable = folder.or(temporary.map(Path::new));
    let (landlock, refused) = match spec.sandbox {
        SandboxMode::Off => (None, None),
        _ => confinement::restrict_files(template.readable.iter().chain(&*readable), subject, writable)
            .map_err(StepError::at("Landlock"))?,
    };
    let is_closed = landlock.is_some() || user.is_changed() || spec.sandbox == SandboxMode::Off;
    if folder.is_some() && !is_closed {
        return Err(ConfineError::TooLittle(
            "the kernel offers no Landlock, without which programs that build could write everywhere: build on another \
             machine, or let the server run as root, which builds as a user without rights"
                .to_owned(),
        ));
    }
    // The limit on open files comes after everything that opens files.
    lockdown::close_others(kept).map_err(StepError::at("close_range"))?;
    // Only after copying a library, which may exceed the process's write limit.
    lockdown::restrict(spec).map_err(StepError::at("setrlimit"))?;
    if subject == Subject::Player {
        let name = CString::new(path.as_os_str().as_bytes()).map_err(io::Error::from);
        name.and_then(|name| crash::install(&replies, name)).map_err(StepError::at("sigaction"))?;
    }
    if spec.sandbox == SandboxMode::Off {
        return Ok((path, Sandbox::off(user)));
    }
    lockdown::restrict_threads(user, spec.threads).map_err(StepError::at("setrlimit"))?;
    let threads = if spec.threads == 1 { Threads::One } else { Threads::Many };
    // Where there is no Landlock, programs that build have a user whose rights decide.
    let may_write = landlock.is_some() || subject == Subject::Builder;
    let writing = if may_write { Writing::ByLandlock } else { Writing::Nothing };
    let seccomp = confinement::restrict_calls(subject, threads, writing, telling).map_err(StepError::at("seccomp"))?;
    if subject == Subject::Builder && !seccomp {
        return Err(ConfineError::TooLittle(
            "the kernel offers no seccomp, without which builds reach the network".into(),
        ));
    }
    let sandbox = Sandbox { refused, ..Sandbox::reached(landlock, seccomp, user) };
    match spec.sandbox.objection(&sandbox) {
        Some(objection) => Err(ConfineError::TooLittle(objection)),
        None => Ok((path, sandbox)),
    }
}

/// Keeps the library open if this process, without its user's rights, can no longer open it by path; returns its
/// descriptor, or that of a copy in memory if the file is also unreadable.
fn keep_unless_reachable(path: &Path, library: Option<File>) -> io::Result<Option<RawFd>> {
    let Some(library) = library else { return Ok(None) };
    if may_read(path) {
        return Ok(None);
    }
    // Perhaps only the folders on the path are closed to this user. A file that is too large is refused on loading.
    if may_read(&name_of_descriptor(library.as_raw_fd())) || library.metadata()?.len() > LIBRARY_MAX {
        return Ok(Some(library.into_raw_fd()));
    }
    let mut copy = File::from(memfd_create("player", MemfdFlags::CLOEXEC)?);
    // It may have grown.
    io::copy(&mut library.take(LIBRARY_MAX), &mut copy)?;
    Ok(Some(copy.into_raw_fd()))
}

fn may_read(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::READ_OK).is_ok()
}

/// Returns a name by which a descriptor's file can be opened again.
fn name_of_descriptor(number: RawFd) -> PathBuf {
    format!("/proc/self/fd/{number}").into()
}

/// Sets variables of this process, which has one thread.
fn set_environment(variables: impl Iterator<Item = OsString>) {
    for variable in variables {
        let mut parts = variable.as_bytes().splitn(2, |&byte| byte == b'=').map(OsStr::from_bytes);
        if let (Some(name), Some(value)) = (parts.next(), parts.next()) {
            // SAFETY: this process has one thread.
            unsafe { env::set_var(name, value) };
        }
    }
}

/// Becomes the program, with the two pipes as standard input and output; returns the error if that fails.
fn run_program(path: &Path, arguments: &[OsString], requests: &File, replies: &mut File) -> io::Result<()> {
    let error = match (arguments, lockdown::become_standard(requests.as_fd(), replies.as_fd())) {
        ([name, arguments @ ..], Ok(())) => Command::new(path).arg0(name).args(arguments).exec(),
        ([], Ok(())) => io::ErrorKind::InvalidInput.into(),
        (_, Err(error)) => error,
    };
    let hint = match error.kind() {
        io::ErrorKind::PermissionDenied => {
            " (programs can only run what they may read: --allow-read PATH adds a folder, such as the interpreter's; \
             a server that runs as root starts them as a user without rights, who must be able to read the file \
             and all folders above it)"
        }
        _ => "",
    };
    let text = format!("cannot run {}: {error}{hint}", path.display());
    send(replies, NoticeKind::NotRun, text.into_bytes())
}

/// Sends the source locations of these offsets in a library.
fn tell_places(library: &Path, offsets: &[u64], replies: &mut File) -> io::Result<()> {
    locate(library, offsets).into_iter().try_for_each(|place| {
        let text = place.map(|place| place.to_string()).unwrap_or_default();
        send(replies, NoticeKind::Located, text.into_bytes())
    })
}

fn send(to: &mut File, kind: NoticeKind, text: Vec<u8>) -> io::Result<()> {
    to.write_all(&Notice { kind, text }.encode())
}
