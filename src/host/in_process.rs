use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::os::fd::{IntoRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use amazons_player::Handover;
use amazons_rules::Move;
use amazons_sandbox::{Error, absolute, raise_stack_limit};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::stdio;

use super::c_rand::{RandState, StateInUse};
use super::call_order::CallOrder;
use super::child::flush_c_streams;
use super::config::SeatConfig;
use super::dynamic_section::DynamicSection;
use super::environment::environment_of;
use super::error::HostError;
use super::library::{self, LoadedPlayer};
use super::load_error;
use super::time_account::TimeAccount;
use super::verdict;
use crate::referee::{Answer, Call, CallError, Opinion, OutOfOrder, Seat, Usage};

/// Held while a player's code runs: players in one process share descriptor 1, `rand` and the environment.
static PLAYERS: Mutex<Players> = Mutex::new(Players { stdout: None, unique: Vec::new() });

/// The changes that players have made to this process.
struct Players {
    /// The process's own stdout once descriptor 1 leads to stderr.
    stdout: Option<OwnedFd>,
    /// The libraries opened so far, and their variables that exist only once per process.
    unique: Vec<(PathBuf, BTreeSet<String>)>,
}

impl Players {
    /// Notes another library, which must not share variables with earlier ones.
    fn add(&mut self, path: &Path, typed: &Path) -> Result<(), HostError> {
        let own = DynamicSection::of(path).unique;
        for (other, unique) in &self.unique {
            if let Some(shared) = own.intersection(unique).next() {
                return Err(HostError::Guest(format!(
                    "{} would share variables with {} in one process ({shared}): build it with -fno-gnu-unique",
                    typed.display(),
                    other.display()
                )));
            }
        }
        self.unique.push((typed.to_owned(), own));
        Ok(())
    }
}

/// A player in the server's own process, for debuggers, valgrind and tuning one's own players.
///
/// The server is not protected from such a player: there are no deadlines, and a crash or an `exit` also ends the
/// server. The player's stdout goes to the server's stderr at once, so a crash loses none of it and it never mixes with
/// the server's output; [`Seat::log`] is empty. The environment is the server's own, plus the player's seed and limits
/// until the end of `initialize`, if the server has a single thread.
#[derive(Debug)]
pub struct InProcessPlayer {
    path: PathBuf,
    /// The path as the user wrote it.
    typed: PathBuf,
    abi_id: u32,
    rand: RandState,
    environment: Vec<(String, String)>,
    account: TimeAccount,
    call_order: CallOrder,
    // Never closed, so that debuggers show its functions rather than addresses.
    player: Option<ManuallyDrop<LoadedPlayer>>,
    handover: Handover,
    opinion: Opinion,
}

/// Returns the process's stdout as a file that is unaffected by players in the process.
pub fn own_stdout() -> io::Result<File> {
    let players = players();
    let copy = match &players.stdout {
        Some(stdout) => rustix::io::fcntl_dupfd_cloexec(stdout, 3),
        None => rustix::io::fcntl_dupfd_cloexec(stdio::stdout(), 3),
    };
    Ok(copy?.into())
}

impl InProcessPlayer {
    /// Prepares a player; its library is not opened yet.
    pub fn start(config: &SeatConfig<'_>) -> Result<Self, HostError> {
        lend_stdout().map_err(Error::system("redirect stdout"))?;
        Ok(Self {
            path: absolute(&config.path)?,
            typed: config.path.clone(),
            abi_id: config.abi_id,
            rand: {
                let _players = players();
                RandState::new(config.seed)
            },
            environment: environment_of(config),
            account: TimeAccount::new(&config.limits),
            call_order: CallOrder::Started,
            player: None,
            handover: Handover::new(config.matrix, config.queens)?,
            opinion: Opinion::default(),
        })
    }

    /// Runs the player's code.
    fn run<T>(
        &mut self,
        call: Call,
        code: impl FnOnce(&LoadedPlayer, &mut Handover) -> T,
    ) -> Result<Answer<T>, CallError> {
        self.call_order = self.call_order.after(call)?;
        let Some(player) = &self.player else {
            return Err(OutOfOrder(call).into());
        };
        let lent = Lent::new(&mut self.rand);
        let clock = Instant::now();
        let value = code(player, &mut self.handover);
        let wall = clock.elapsed();
        drop(lent);
        let usage = Usage { wall, cpu: wall, idle_cpu: Duration::ZERO };
        let left = self.account.charge(call, usage);
        Ok(Answer { value, usage, left })
    }

    /// Gives the player its environment; the next player gets a different one.
    /// Only possible in a single-threaded process: the C library's environment is not thread-safe.
    fn set_environment(&self) {
        if !has_one_thread() {
            return;
        }
        for (name, value) in &self.environment {
            // SAFETY: there is no other thread to read the environment meanwhile.
            unsafe { env::set_var(name, value) };
        }
    }
}

impl Seat for InProcessPlayer {
    fn load(&mut self) -> Result<(), CallError> {
        self.call_order = self.call_order.after(Call::Load)?;
        let mut lent = Lent::new(&mut self.rand);
        lent.players.add(&self.path, &self.typed)?;
        raise_stack_limit().map_err(Error::system("raise the stack limit"))?;
        self.set_environment();
        let file = loadable(&self.path).map_err(Error::system("copy the library"))?;
        // SAFETY: running players in the server's process means accepting anything they do to it.
        let loaded = unsafe { LoadedPlayer::load(&file) };
        drop(lent);
        match loaded {
            Ok(player) => {
                self.player = Some(ManuallyDrop::new(player));
                Ok(())
            }
            Err(error) => {
                self.call_order = CallOrder::Over;
                let reason = load_error::explain(&self.path, &self.typed, &error.to_string(), false);
                Err(CallError::Fault(verdict::not_loaded(reason, error.missing())))
            }
        }
    }

    fn initialize(&mut self) -> Result<Answer<()>, CallError> {
        let abi_id = self.abi_id;
        self.set_environment();
        self.run(Call::Initialize, |player, handover| player.initialize(abi_id, handover))
    }

    fn name(&mut self) -> Result<Answer<Option<Vec<u8>>>, CallError> {
        self.run(Call::Name, |player, _| player.name())
    }

    fn play(&mut self, previous: Option<Move>) -> Result<Answer<Move>, CallError> {
        let answer = self.run(Call::Play, |player, _| (player.play(previous), player.opinion()))?;
        Ok(answer.map(|(played, opinion)| {
            self.opinion = opinion;
            played
        }))
    }

    fn opinion(&self) -> Opinion {
        self.opinion.clone()
    }

    fn finalize(&mut self) -> Result<Answer<()>, CallError> {
        self.run(Call::Finalize, |player, _| player.finalize())
    }
}

/// Ends the process if players' threads still run in it: a normal exit would run their library's destructors meanwhile.
pub(crate) fn leave_threads(status: u8) -> u8 {
    if players().unique.is_empty() || has_one_thread() {
        return status;
    }
    flush_c_streams();
    // Errors can no longer be reported.
    let _ = io::stdout().flush();
    // SAFETY: it has no preconditions.
    unsafe { libc::_exit(status.into()) }
}

fn has_one_thread() -> bool {
    // A folder has a link for itself, one in its parent, and one for each folder in it.
    fs::metadata("/proc/self/task").is_ok_and(|tasks| tasks.nlink() == 3)
}

/// Returns the path for opening a library: a copy if this process already has it open, as both would share variables.
fn loadable(path: &Path) -> io::Result<PathBuf> {
    if !library::is_open(path) {
        return Ok(path.to_owned());
    }
    let mut copy = File::from(memfd_create("amazons-player", MemfdFlags::CLOEXEC)?);
    io::copy(&mut File::open(path)?, &mut copy)?;
    // The loader knows the copy by its path, so its descriptor number must never be reused.
    Ok(format!("/proc/self/fd/{}", copy.into_raw_fd()).into())
}

/// The shared state of this process's players, held by one of them.
struct Lent {
    // Dropped in this order: the next player may start once everything is restored.
    _rand: StateInUse,
    players: MutexGuard<'static, Players>,
}

impl Lent {
    fn new(rand: &mut RandState) -> Self {
        let players = players();
        Self { _rand: rand.enter(), players }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        flush_c_streams();
    }
}

/// Makes descriptor 1 lead to stderr for good: libraries may even print in their destructors.
fn lend_stdout() -> io::Result<()> {
    let mut players = players();
    if players.stdout.is_none() {
        let stdout = rustix::io::fcntl_dupfd_cloexec(stdio::stdout(), 3)?;
        stdio::dup2_stdout(stdio::stderr())?;
        players.stdout = Some(stdout);
    }
    Ok(())
}

/// Waits until no player's code runs.
fn players() -> MutexGuard<'static, Players> {
    PLAYERS.lock().unwrap_or_else(PoisonError::into_inner)
}
