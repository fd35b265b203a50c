//! What runs in a player's process.

use std::env;
use std::ffi::{CString, c_int};
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, IntoRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr;

use amazons_player::Handover;
use rustix::fs::{FileType, MemfdFlags, Mode, OFlags, memfd_create};
use rustix::process::Pid;
use rustix::stdio;

use super::c_rand::seed_rand;
use super::crash;
use super::environment::set_environment;
use super::error::{ConfineError, HostError};
use super::fork_server;
use super::frame::{FrameError, Outcome, REQUEST_LEN, Reply, Request, Topic};
use super::heap;
use super::library::LoadedPlayer;
use super::lockdown::{self, Streams, Template};
use super::program_child;
use super::sandbox::{self, SandboxMode, Subject, Threads};
use super::setup::{ProcessSpec, SetUp, Task};
use super::symbols::locate;
use crate::referee::{Call, Sandbox, SandboxUser};
use crate::text::error_chain;

/// The first argument that turns the server's executable into the parent of players' processes.
pub(super) const HOST_MODE: &str = "__host";

/// How a player's process ends when it finds its pipes damaged.
pub(super) const DISCONNECTED: c_int = 121;

/// How a player's process ends when it could not be set up; no code of the player ran.
const NOT_SET_UP: c_int = 122;

/// The exit status of a fork server that was not started by a server.
const WRONG_USAGE: u8 = 2;

/// The exit status of a fork server that could not go on.
const FAILED: u8 = 1;

/// Forks players' processes when the arguments say so; `main` calls it before anything else.
///
/// Answers an exit status, or `None` for an ordinary start of the server. A player's process ends in here.
#[must_use]
pub fn entry() -> Option<u8> {
    let mut args = env::args_os().skip(1);
    if args.next()? != HOST_MODE {
        return None;
    }
    let is_socket = |stat: rustix::fs::Stat| FileType::from_raw_mode(stat.st_mode) == FileType::Socket;
    if !rustix::fs::fstat(stdio::stdin()).is_ok_and(is_socket) {
        eprintln!("server: {HOST_MODE} is for the server's own use");
        return Some(WRONG_USAGE);
    }
    let served = take_socket().and_then(fork_server::serve);
    Some(served.map_or_else(
        |error| {
            eprintln!("server: cannot run players' processes: {error}");
            FAILED
        },
        |()| 0,
    ))
}

/// Moves the socket to the server away from standard input.
fn take_socket() -> io::Result<OwnedFd> {
    let socket = lockdown::out_of_the_way(stdio::stdin().try_clone_to_owned()?)?;
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    stdio::dup2_stdin(null.as_fd())?;
    Ok(socket)
}

/// Becomes a player's process: what a fork does instead of returning.
pub(super) fn run(template: &Template, parent: Pid, streams: Streams) -> ! {
    let status = match Host::set_up(template, parent, streams).map(ManuallyDrop::new) {
        // Never dropped: that would run the library's destructors, and close pipes that may be closed already.
        Ok(mut host) => match host.work() {
            Ok(()) => 0,
            Err(_) => DISCONNECTED,
        },
        Err(error) => {
            // The log is the only place left where this can be said.
            eprintln!("{}", error_chain(&error));
            NOT_SET_UP
        }
    };
    // Nothing of the player may run any more, its atexit functions included.
    // SAFETY: `_exit` has no preconditions.
    unsafe { libc::_exit(status) }
}

/// Why this process cannot go on serving calls.
#[derive(Debug, thiserror::Error)]
enum Disconnected {
    #[error("a pipe to the server is gone")]
    Pipe(#[from] io::Error),
    #[error("the server sent a broken frame")]
    Frame(#[from] FrameError),
}

/// What a process has when it is ready.
struct Prepared {
    set_up: SetUp,
    handover: Handover,
    /// How much of the heap the player is given.
    heap: u32,
    /// By which name the library is opened.
    path: PathBuf,
    sandbox: Sandbox,
}

/// The player's side of the two pipes.
struct Host {
    requests: File,
    replies: File,
    /// By which name the library is opened.
    path: PathBuf,
    task: Task,
    abi_id: u32,
    seed: u64,
    handover: Handover,
    /// How much of the heap the player is given; from `initialize` on, what is in use if the player keeps nothing.
    heap: u32,
    player: Option<LoadedPlayer>,
}

impl Host {
    fn set_up(template: &Template, parent: Pid, streams: Streams) -> Result<Self, ConfineError> {
        let [mut requests, mut replies] = streams.arrange(template)?;
        match Self::prepare(template, parent, &mut requests, &replies) {
            Ok(Prepared { set_up, handover, heap, path, sandbox }) => {
                send(&mut replies, 0, Topic::SetUp, Outcome::Ready, sandbox_text(&sandbox))?;
                // The rest of the set-up is dropped here: the player gets the memory.
                let ProcessSpec { task, abi_id, seed, .. } = set_up.orders;
                Ok(Self { requests, replies, path, task, abi_id, seed, handover, heap, player: None })
            }
            Err(failure) => {
                let text = error_chain(&failure).into_bytes();
                let outcome =
                    if matches!(failure, ConfineError::TooLittle(_)) { Outcome::Refused } else { Outcome::Failed };
                send(&mut replies, 0, Topic::SetUp, outcome, text)?;
                Err(failure)
            }
        }
    }

    fn prepare(
        template: &Template,
        parent: Pid,
        requests: &mut File,
        replies: &File,
    ) -> Result<Prepared, ConfineError> {
        lockdown::leave_session()?;
        let set_up = SetUp::read(requests)?;
        let queens = set_up.queens.each_ref().map(Vec::as_slice);
        let before = heap::in_use();
        let handover = match set_up.orders.task {
            Task::PlayForeign(fields) => Handover::foreign(set_up.matrix.view(), fields, queens),
            Task::Play | Task::Run(_) | Task::Locate(_) => Handover::new(set_up.matrix.view(), queens),
        };
        let handover = handover.map_err(HostError::from)?;
        let heap = heap::in_use().wrapping_sub(before);
        let (path, sandbox) = match set_up.orders.task {
            Task::Run(_) => (set_up.orders.path.clone(), program_child::confine(template, parent, &set_up.orders)?),
            Task::Play | Task::PlayForeign(_) | Task::Locate(_) => {
                confine(template, parent, &set_up.orders, replies.as_fd())?
            }
        };
        Ok(Prepared { set_up, handover, heap, path, sandbox })
    }

    /// Does what the process is for.
    fn work(&mut self) -> Result<(), Disconnected> {
        let offsets = match &self.task {
            Task::Play | Task::PlayForeign(_) => return self.serve(),
            Task::Run(arguments) => {
                let error = program_child::become_program(&self.path, arguments, &self.requests, &self.replies);
                let hint = match error.kind() {
                    io::ErrorKind::PermissionDenied => {
                        " (a server that runs as root starts players as a user without rights, who must be able to read it and all folders above)"
                    }
                    _ => "",
                };
                let text = format!("cannot run {}: {error}{hint}", self.path.display()).into_bytes();
                send(&mut self.replies, 1, Topic::Call(Call::Load), Outcome::Failed, text)?;
                return Ok(());
            }
            Task::Locate(offsets) => offsets,
        };
        for (place, sequence) in locate(&self.path, offsets).into_iter().zip(1..) {
            let text = place.map(|place| place.to_string()).unwrap_or_default();
            send(&mut self.replies, sequence, Topic::Place, Outcome::Located, text.into_bytes())?;
        }
        Ok(())
    }

    /// Answers requests until the server has no more, or the player is finalized.
    fn serve(&mut self) -> Result<(), Disconnected> {
        loop {
            let mut frame = [0; REQUEST_LEN];
            let len = read_frame(&mut self.requests, &mut frame)?;
            if len == 0 {
                // The server closes it only when it is about to end this process anyway.
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            let request = Request::decode(frame.get(..len).unwrap_or_default())?;
            let (outcome, text) = self.answer(&request);
            flush_c_streams();
            let topic = Topic::Call(request.call);
            send(&mut self.replies, request.sequence, topic, outcome, text)?;
            if request.call == Call::Finalize {
                return Ok(());
            }
        }
    }

    fn answer(&mut self, request: &Request) -> (Outcome, Vec<u8>) {
        let Some(player) = &self.player else {
            return self.load();
        };
        let outcome = match request.call {
            Call::Load => Outcome::Done,
            Call::Initialize => {
                self.heap = heap::in_use().wrapping_sub(self.heap);
                player.initialize(self.abi_id, &mut self.handover);
                Outcome::Done
            }
            Call::Name => {
                return match player.name() {
                    Some(name) => (Outcome::Named, name),
                    None => (Outcome::Unnamed, Vec::new()),
                };
            }
            Call::Play => Outcome::Played(player.play(request.previous)),
            Call::Finalize => {
                player.finalize();
                Outcome::Finalized(heap::in_use().wrapping_sub(self.heap))
            }
        };
        (outcome, Vec::new())
    }

    fn load(&mut self) -> (Outcome, Vec<u8>) {
        seed_rand(self.seed);
        // SAFETY: running the player is what this process is for.
        match unsafe { LoadedPlayer::load(&self.path) } {
            Ok(player) => {
                self.player = Some(player);
                (Outcome::Done, Vec::new())
            }
            Err(error) => (Outcome::Failed, error.to_string().into_bytes()),
        }
    }
}

/// Gives up everything that a player must not have, and answers by which name its library can be opened.
fn confine(
    template: &Template,
    parent: Pid,
    orders: &ProcessSpec,
    replies: BorrowedFd<'_>,
) -> Result<(PathBuf, Sandbox), ConfineError> {
    // Descriptors become mere numbers when they are closed all at once: what owns them must not close them again.
    let mut readable = ManuallyDrop::new(Vec::new());
    for path in &orders.allow_read {
        let opened = sandbox::open(path);
        readable.push(opened.map_err(|source| ConfineError::AllowRead { path: path.clone(), source })?);
    }
    // What is not there is for the loader to say.
    let own = sandbox::OWN.into_iter().map(Path::new).chain([orders.path.as_path()]);
    readable.extend(own.filter_map(|path| sandbox::open(path).ok()));
    set_environment(&orders.environment);
    // Opened while that is still allowed, in case it is not afterwards.
    let library = File::open(&orders.path);
    let user = match orders.sandbox {
        SandboxMode::Off if rustix::process::geteuid().is_root() => SandboxUser::Root,
        SandboxMode::Off => SandboxUser::Ordinary,
        SandboxMode::Strict | SandboxMode::Auto => sandbox::drop_user()?,
    };
    lockdown::follow(parent)?;
    let kept = keep_unless_reachable(&orders.path, library.ok().filter(|_| user.is_changed()))?;
    let path = kept.map_or_else(|| orders.path.clone(), name_of_descriptor);
    // Not before the copy of a library, which may be longer than what a player may write.
    lockdown::restrict(orders)?;
    let name = CString::new(path.as_os_str().as_bytes()).map_err(io::Error::from)?;
    crash::install(&replies, name)?;
    if orders.sandbox == SandboxMode::Off {
        lockdown::close_others(kept)?;
        return Ok((path, Sandbox::off(user)));
    }
    lockdown::restrict_threads(user, orders.threads)?;
    let threads = if orders.threads == 1 { Threads::One } else { Threads::Many };
    let sandbox = sandbox::confine(user, template.readable.iter().chain(&*readable), Subject::Player, threads)?;
    lockdown::close_others(kept)?;
    match orders.sandbox.objection(&sandbox) {
        Some(objection) => Err(ConfineError::TooLittle(objection)),
        None => Ok((path, sandbox)),
    }
}

/// Keeps the library open if this process, having lost the rights of the user who named it, cannot open it by its path
/// any more; answers its descriptor, or that of a copy in memory if it cannot read the file either.
fn keep_unless_reachable(path: &Path, library: Option<File>) -> io::Result<Option<RawFd>> {
    let Some(mut library) = library else { return Ok(None) };
    if may_read(path) {
        return Ok(None);
    }
    // Only the folders on the way may be closed to this user.
    if may_read(&name_of_descriptor(library.as_raw_fd())) {
        return Ok(Some(library.into_raw_fd()));
    }
    let mut copy = File::from(memfd_create("player", MemfdFlags::CLOEXEC)?);
    io::copy(&mut library, &mut copy)?;
    Ok(Some(copy.into_raw_fd()))
}

fn may_read(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::READ_OK).is_ok()
}

/// By which name the file behind a descriptor can be opened once more.
fn name_of_descriptor(number: RawFd) -> PathBuf {
    format!("/proc/self/fd/{number}").into()
}

/// Writes down how a process is confined, for the server alone.
fn sandbox_text(sandbox: &Sandbox) -> Vec<u8> {
    serde_json::to_vec(sandbox).unwrap_or_default()
}

/// Writes out what players printed through C's streams.
pub(super) fn flush_c_streams() {
    // SAFETY: NULL stands for all streams.
    unsafe { libc::fflush(ptr::null_mut()) };
}

/// Reads one frame in one piece; 0 bytes when the server has closed the pipe.
fn read_frame(from: &mut File, frame: &mut [u8]) -> io::Result<usize> {
    loop {
        match from.read(frame) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

fn send(to: &mut File, sequence: u64, topic: Topic, outcome: Outcome, text: Vec<u8>) -> io::Result<()> {
    let reply = Reply { sequence, topic, outcome, text };
    to.write_all(&reply.encode())
}
