//! What runs in a player's process.

use std::env;
use std::ffi::{OsString, c_int};
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::ptr;

use amazons_player::Handover;
use rustix::process::Pid;

use super::c_rand::seed_rand;
use super::error::HostError;
use super::frame::{FrameError, Outcome, REQUEST_LEN, Reply, Request, Topic};
use super::library::LoadedPlayer;
use super::lockdown::{self, Pipes};
use super::setup::{SetUp, SetUpError};
use crate::referee::Call;
use crate::text::error_chain;

/// The first argument that turns the server's executable into a player's process.
pub(super) const HOST_MODE: &str = "__host";

/// How a player's process ends when it finds its pipes damaged.
pub(super) const DISCONNECTED: c_int = 121;

/// How a player's process ends when it could not be set up; no code of the player ran.
const NOT_SET_UP: c_int = 122;

/// The exit status of a player's process that was not started by the server.
const WRONG_USAGE: u8 = 2;

/// Runs a player when the arguments say so; `main` calls it before anything else.
///
/// Answers an exit status, or `None` for an ordinary start of the server. A player's process normally ends in here.
#[must_use]
pub fn entry() -> Option<u8> {
    let mut args = env::args_os().skip(1);
    if args.next()? != HOST_MODE {
        return None;
    }
    let server = args.next().as_ref().and_then(parse_pid);
    let Some(server) = server.filter(|_| lockdown::is_connected()) else {
        eprintln!("server: {HOST_MODE} is for the server's own use");
        return Some(WRONG_USAGE);
    };
    run(server)
}

fn parse_pid(arg: &OsString) -> Option<Pid> {
    Pid::from_raw(arg.to_str()?.parse().ok()?)
}

fn run(server: Pid) -> ! {
    let status = match Host::set_up(server).map(ManuallyDrop::new) {
        // Never dropped: that would run the library's destructors, and close pipes that may be closed already.
        Ok(mut host) => match host.serve() {
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

/// Says why this process could not be set up.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("the player's process cannot be confined")]
    Confine(#[from] io::Error),
    #[error(transparent)]
    SetUp(#[from] SetUpError),
    #[error(transparent)]
    Handover(#[from] HostError),
}

/// Says why this process cannot go on serving calls.
#[derive(Debug, thiserror::Error)]
enum Disconnected {
    #[error("a pipe to the server is gone")]
    Pipe(#[from] io::Error),
    #[error("the server sent a broken frame")]
    Frame(#[from] FrameError),
}

/// The player's side of the two pipes.
struct Host {
    requests: File,
    replies: File,
    path: PathBuf,
    abi_id: u32,
    seed: u64,
    handover: Handover,
    player: Option<LoadedPlayer>,
}

impl Host {
    fn set_up(server: Pid) -> Result<Self, Failure> {
        let Pipes { requests, replies } = lockdown::take_pipes()?;
        let (mut requests, mut replies) = (File::from(requests), File::from(replies));
        lockdown::follow(server)?;
        match Self::prepare(&mut requests) {
            Ok((set_up, handover)) => {
                send(&mut replies, 0, Topic::SetUp, Outcome::Done, Vec::new())?;
                // The rest of the set-up is dropped here: the player gets the memory.
                Ok(Self {
                    requests,
                    replies,
                    path: set_up.path,
                    abi_id: set_up.abi_id,
                    seed: set_up.seed,
                    handover,
                    player: None,
                })
            }
            Err(failure) => {
                let text = error_chain(&failure).into_bytes();
                send(&mut replies, 0, Topic::SetUp, Outcome::Failed, text)?;
                Err(failure)
            }
        }
    }

    fn prepare(requests: &mut File) -> Result<(SetUp, Handover), Failure> {
        let set_up = SetUp::read(requests)?;
        let queens = set_up.queens.each_ref().map(Vec::as_slice);
        let handover = Handover::new(set_up.matrix.view(), queens).map_err(HostError::from)?;
        lockdown::restrict(set_up.log_limit)?;
        Ok((set_up, handover))
    }

    /// Answers requests until the server has no more, or the player is finalized.
    fn serve(&mut self) -> Result<(), Disconnected> {
        loop {
            let mut frame = [0; REQUEST_LEN];
            let len = read_frame(&mut self.requests, &mut frame)?;
            if len == 0 {
                return Ok(());
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
                Outcome::Done
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
