//! One game of a behaviour against the honest rival.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use tempfile::TempDir;

use super::behaviour::Behaviour;
use super::warden::{Order, Report};
use super::{judge, stage, traces};

/// The user and the group that own nothing.
const NOBODY: u32 = 65534;

/// Short enough for the whole suite, long enough for an honest player on a busy machine.
const OPTIONS: [(&str, &str); 7] = [
    ("-m", "5"),
    ("--seed", "1"),
    ("--load-time", "2"),
    ("--init-time", "300ms"),
    ("--move-time", "300ms"),
    ("--finalize-time", "300ms"),
    ("--log-dir", "logs"),
];

const RECORD: &str = "record.jsonl";
const HOSTILE: &str = "hostile.so";
const RIVAL: &str = "rival.so";

/// The user who runs the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum User {
    /// The user who runs the tests.
    Present,
    /// A user without any rights; only root can become that.
    Nobody,
}

/// The server's user, and the behaviour's player number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seating {
    pub(super) user: User,
    /// 1 or 2.
    pub(super) number: usize,
}

/// Everything visible when a game is over.
#[derive(Debug)]
pub(super) struct Observed {
    pub(super) report: Report,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: String,
    pub(super) record: Vec<u8>,
    /// The behaviour's output, and what the rival did.
    pub(super) logs: [Vec<u8>; 2],
    /// The complaints of a replay of the record.
    pub(super) replay: Option<String>,
    /// Changes outside of the record and the logs: files made, changed or removed.
    pub(super) traces: Vec<String>,
}

/// Returns whether the tests run as root.
pub(super) fn is_root() -> bool {
    // SAFETY: the call has no preconditions.
    unsafe { libc::geteuid() == 0 }
}

/// Plays a game and lists what is wrong; `sandbox` is the value of `--sandbox`, if not the usual one.
pub(super) fn findings(behaviour: &Behaviour, seating: Seating, sandbox: Option<&str>) -> Vec<String> {
    // Names of files tell which behaviour made them, not which game.
    let lock = lock_of(behaviour.name);
    let _only_game = lock.lock().unwrap_or_else(PoisonError::into_inner);
    judge::findings(behaviour, seating, &play(behaviour, seating, sandbox))
}

fn lock_of(behaviour: &'static str) -> Arc<Mutex<()>> {
    static LOCKS: Mutex<BTreeMap<&str, Arc<Mutex<()>>>> = Mutex::new(BTreeMap::new());
    LOCKS.lock().unwrap_or_else(PoisonError::into_inner).entry(behaviour).or_default().clone()
}

fn play(behaviour: &Behaviour, seating: Seating, sandbox: Option<&str>) -> Observed {
    let temporary =
        |name: &str| TempDir::with_prefix(format!("amazons-{name}-")).expect("there is room for a temporary folder");
    let (folder, outputs) = (temporary("game"), temporary("outputs"));
    let user = (seating.user == User::Nobody).then_some(NOBODY);
    stage::open_up(folder.path());
    chown(folder.path(), user, user).expect("a folder can be given away");
    let libraries = [(stage::library(behaviour), HOSTILE), (stage::rival(behaviour.slow_rival), RIVAL)];
    let mut watched = vec![stage::server()];
    for (from, name) in libraries {
        let copy = folder.path().join(name);
        fs::copy(from, &copy).expect("a library can be copied");
        stage::open_up(&copy);
        chown(&copy, user, user).expect("a file can be given away");
        watched.push(copy);
    }
    traces::take_files(behaviour.name);
    let before: Vec<_> = watched.iter().map(|path| traces::state_of(path)).collect();
    let order = Order {
        server: stage::server(),
        arguments: arguments(behaviour, seating, sandbox),
        folder: folder.path().to_owned(),
        outputs: outputs.path().to_owned(),
        user,
    };
    let report = order.carry_out();
    let read = |path: PathBuf| fs::read(path).unwrap_or_default();
    let log = |number: usize| read(folder.path().join(format!("logs/player{number}.log")));
    Observed {
        report,
        stdout: read(outputs.path().join("stdout")),
        stderr: String::from_utf8_lossy(&read(outputs.path().join("stderr"))).into_owned(),
        record: read(folder.path().join(RECORD)),
        logs: [log(seating.number), log(3 - seating.number)],
        replay: replay(&folder.path().join(RECORD)),
        traces: traces_of(behaviour, folder.path(), watched.into_iter().zip(before)),
    }
}

fn arguments(behaviour: &Behaviour, seating: Seating, sandbox: Option<&str>) -> Vec<String> {
    let mut options: BTreeMap<_, _> = OPTIONS.into_iter().collect();
    options.insert("--record", RECORD);
    options.extend(behaviour.options.iter().map(|(option, value)| (&**option, &**value)));
    options.extend(sandbox.map(|sandbox| ("--sandbox", sandbox)));
    let mut players = [HOSTILE, RIVAL].map(|name| format!("./{name}"));
    players.rotate_left(seating.number - 1);
    let options = options.into_iter().flat_map(|(option, value)| [option.to_owned(), value.to_owned()]);
    options.chain(["--json".to_owned()]).chain(players).collect()
}

fn replay(record: &Path) -> Option<String> {
    let mut command = Command::new(stage::server());
    let output = command.args(["replay", "--quiet"]).arg(record).output().expect("the server can be run");
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).trim().to_owned())
}

fn traces_of(behaviour: &Behaviour, folder: &Path, watched: impl Iterator<Item = (PathBuf, String)>) -> Vec<String> {
    let mut found = Vec::new();
    for (path, before) in watched {
        let after = traces::state_of(&path);
        if after != before {
            found.push(format!("{} was {before} and is {after}", path.display()));
        }
    }
    let usual = [HOSTILE, "logs", "logs/player1.log", "logs/player2.log", RECORD, RIVAL];
    let files = traces::files_below(folder);
    found.extend(files.iter().filter(|file| !usual.contains(&&***file)).map(|file| format!("made {file}")));
    found.extend(traces::take_files(behaviour.name).iter().map(|path| format!("made {}", path.display())));
    found.extend(traces::take_objects().iter().map(|object| format!("made the object {object}")));
    found
}
