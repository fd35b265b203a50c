//! The code around a player in its process, which answers the server's requests.

use std::error::Error;
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::ptr;

use amazons_player::Handover;
use amazons_sandbox::Serve;
use rustix::io::retry_on_intr;

use super::c_rand::seed_rand;
use super::error::HostError;
use super::frame::{CallOutcome, REQUEST_LEN, Reply, Request};
use super::heap;
use super::library::LoadedPlayer;
use super::setup::SetUp;
use crate::referee::Call;

/// The first argument that makes the server's executable the parent of players' processes.
pub const HOST_MODE: &str = "__host";

/// Forks players' processes if the arguments say so; `main` must call it first.
///
/// Returns an exit status, or `None` for an ordinary start of the server. A player's process ends in here.
pub fn entry() -> Option<u8> {
    Some(match amazons_sandbox::entry(HOST_MODE, prepare)? {
        Ok(()) => 0,
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            eprintln!("server: {error}");
            2
        }
        Err(error) => {
            eprintln!("server: cannot run players' processes: {error}");
            1
        }
    })
}

/// Reads the player's game before the process is confined.
fn prepare(from: &mut dyn Read) -> Result<Serve, Box<dyn Error + Send + Sync>> {
    let SetUp { abi_id, seed, foreign, matrix, queens } = SetUp::read(from)?;
    let queens = queens.each_ref().map(Vec::as_slice);
    let before = heap::in_use();
    let handover = match foreign {
        Some(fields) => Handover::foreign(matrix.view(), fields, queens),
        None => Handover::new(matrix.view(), queens),
    };
    let handover = handover.map_err(HostError::from)?;
    let heap = heap::in_use().wrapping_sub(before);
    Ok(Box::new(move |library, requests, replies| {
        // Never dropped: that would run the library's destructors.
        let mut host = ManuallyDrop::new(Host { abi_id, seed, handover, heap, player: None });
        host.serve(library, requests, replies)
    }))
}

/// A player and its game.
struct Host {
    abi_id: u32,
    seed: u64,
    handover: Handover,
    /// Heap memory in use; from `initialize` on, what is in use if the player keeps nothing.
    heap: u32,
    player: Option<LoadedPlayer>,
}

impl Host {
    /// Answers requests until the input ends or the player is finalized.
    fn serve(&mut self, library: &Path, requests: &mut File, replies: &mut File) -> io::Result<()> {
        loop {
            let mut frame = [0; REQUEST_LEN];
            let len = retry_on_intr(|| rustix::io::read(&*requests, &mut frame))?;
            if len == 0 {
                // The server closes it only right before it ends this process.
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let request = Request::decode(&frame[..len]).map_err(io::Error::other)?;
            let Request { sequence, call, .. } = request;
            let (outcome, text) = self.answer(library, &request);
            flush_c_streams();
            replies.write_all(&Reply { sequence, call, outcome, text }.encode())?;
            if call == Call::Finalize {
                return Ok(());
            }
        }
    }

    fn answer(&mut self, library: &Path, request: &Request) -> (CallOutcome, Vec<u8>) {
        let Some(player) = &self.player else {
            return self.load(library);
        };
        let outcome = match request.call {
            Call::Load => CallOutcome::Done,
            Call::Initialize => {
                self.heap = heap::in_use().wrapping_sub(self.heap);
                player.initialize(self.abi_id, &mut self.handover);
                CallOutcome::Done
            }
            Call::Name => {
                return match player.name() {
                    Some(name) => (CallOutcome::Named, name),
                    None => (CallOutcome::Unnamed, Vec::new()),
                };
            }
            Call::Play => {
                let played = player.play(request.previous);
                let opinion = player.opinion();
                #[expect(clippy::cast_possible_truncation, reason = "six digits are enough")]
                let value = (opinion.value as f32).to_bits();
                return (CallOutcome::Played(played, value), opinion.text);
            }
            Call::Finalize => {
                player.finalize();
                CallOutcome::Finalized(heap::in_use().wrapping_sub(self.heap))
            }
        };
        (outcome, Vec::new())
    }

    fn load(&mut self, library: &Path) -> (CallOutcome, Vec<u8>) {
        seed_rand(self.seed);
        // SAFETY: this process exists to run the player.
        match unsafe { LoadedPlayer::load(library) } {
            Ok(player) => {
                self.player = Some(player);
                (CallOutcome::Done, Vec::new())
            }
            Err(error) => (CallOutcome::Failed(error.missing()), error.to_string().into_bytes()),
        }
    }
}

/// Flushes players' output in C's streams.
pub(super) fn flush_c_streams() {
    // SAFETY: NULL stands for all streams.
    unsafe { libc::fflush(ptr::null_mut()) };
}
