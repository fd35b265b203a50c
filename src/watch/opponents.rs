use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use tokio::sync::oneshot;

use super::background::again;
use crate::game::BoardArgs;
use crate::participant::Participant;
use crate::text::printable;
use crate::tournament::since_1970;

/// The time that an opponent has for each of its moves.
const MOVE_TIME: &str = "2";

/// Games that may be played at the same time.
const GAMES_MAX: u64 = 8;

/// The players that a visitor may play against.
#[derive(Debug, Default)]
pub struct Opponents {
    players: Vec<PathBuf>,
    /// The folder of the games' records.
    folder: PathBuf,
    started: AtomicU64,
    running: Arc<AtomicU64>,
}

impl Opponents {
    /// Offers games against players; their records go into a folder.
    pub fn new(players: Vec<PathBuf>, folder: PathBuf) -> Self {
        Self { players, folder, ..Self::default() }
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.players.iter().map(|player| name(player)).collect()
    }

    pub(super) fn find(&self, wanted: &str) -> Option<&Path> {
        self.players.iter().map(PathBuf::as_path).find(|player| name(player) == wanted)
    }

    /// Starts a game between a person and a player, and promises the address of the person's page, or why there is
    /// none; `None` if too many games run.
    pub(super) fn start(
        &self,
        player: &Path,
        board: &BoardArgs,
        is_first: bool,
    ) -> Option<oneshot::Receiver<Result<String, String>>> {
        if self.running.fetch_add(1, Ordering::Relaxed) >= GAMES_MAX {
            self.running.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        let (seconds, number) = (since_1970(), self.started.fetch_add(1, Ordering::Relaxed));
        let mut command = again();
        command.args(["--quiet", "--move-time", MOVE_TIME, "--record"]);
        command.arg(self.folder.join(format!("played-{seconds}-{number}.jsonl")));
        command.args(board.position.iter().map(|text| format!("--position={text}")));
        command.args(board.shape.map(|shape| format!("--type={}", shape.code())));
        command.args(board.size.map(|size| format!("--size={size}")));
        let web = Path::new("web");
        command.args(if is_first { [web, player] } else { [player, web] });
        let (sender, address) = oneshot::channel();
        let running = Arc::clone(&self.running);
        thread::spawn(move || {
            // The person's page shows what goes wrong later.
            let _ = host(command, sender);
            running.fetch_sub(1, Ordering::Relaxed);
        });
        Some(address)
    }
}

fn name(player: &Path) -> String {
    let of_level = |player: Participant| Some(player.short_name(player.options(None).ok()?.as_deref()));
    let name = Participant::parse(player).ok().and_then(of_level);
    name.map_or_else(String::new, |name| printable(name.as_bytes()))
}

/// Runs a game to its end and passes on the address of the person's page; if it has none, the reason.
fn host(mut command: Command, sender: oneshot::Sender<Result<String, String>>) -> std::io::Result<()> {
    let spawned = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => {
            let _ = sender.send(Err(error.to_string()));
            return Err(error);
        }
    };
    // Its first line is the address, for us alone.
    let (mut address, mut stdout) = (String::new(), child.stdout.take().map(BufReader::new));
    stdout.as_mut().map_or(Ok(0), |stdout| stdout.read_line(&mut address))?;
    let mut sender = Some(sender);
    if address.ends_with('\n')
        && let Some(sender) = sender.take()
    {
        // The page may have gone.
        let _ = sender.send(Ok(address.trim_end().to_owned()));
    }
    let lines = child.stderr.take().into_iter().flat_map(|errors| BufReader::new(errors).split(b'\n'));
    let last = lines.map_while(Result::ok).last().unwrap_or_default();
    if let Some(sender) = sender {
        let last = String::from_utf8_lossy(&last);
        let _ = sender.send(Err(last.trim_start_matches("server: ").to_owned()));
    }
    child.wait().map(|_| ())
}
