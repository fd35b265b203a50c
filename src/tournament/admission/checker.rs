//! Tries players out in processes of their own, which end in time.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::PARENT;
use crate::check::CheckOutcome;
use crate::game::{DirectionsArg, GameSettings, PlayerSettings};
use crate::text::error_chain;
use crate::tournament::ladder::LadderPlan;
use crate::tournament::plan::{Entrant, start_of};

/// How often it is asked whether a process has ended.
const ASK_EVERY: Duration = Duration::from_millis(20);

/// How much of a report is read.
const REPORT_MAX: u64 = 1 << 20;

/// The longest reason for a refusal, in characters.
const FAILURE_MAX: usize = 400;

/// Checks players by the limits of a ladder's games.
#[derive(Clone, Debug)]
pub struct Checker {
    plan: LadderPlan,
    time: Duration,
    is_stopping: Arc<AtomicBool>,
}

/// How a player is tried out.
#[derive(Debug)]
pub struct Trial<'a> {
    /// The size of the boards of `server check`; without it, that is left out.
    pub size: Option<u32>,
    /// Where the output of the check is meanwhile.
    pub output: PathBuf,
    /// Where to leave the records of two games against itself, and all that is printed; without it, none are played.
    /// The folder must have nothing of such games yet.
    pub games: Option<&'a Path>,
}

/// The result of a trial.
#[derive(Debug)]
pub enum Checked {
    /// The numbering that the player needs, if that is not the ladder's, and the report.
    Passed(Option<DirectionsArg>, String),
    /// The first line of the reason, and the report.
    Failed { reason: String, report: String },
    /// The server stops.
    Dropped,
}

impl Checked {
    fn failed(reason: &str, report: String) -> Self {
        let first = reason.lines().next().unwrap_or_default();
        let reason = if first.chars().count() <= FAILURE_MAX {
            first.to_owned()
        } else {
            first.chars().take(FAILURE_MAX - 1).chain(['…']).collect()
        };
        Self::Failed { reason, report }
    }

    /// A failure that is all that there is to report.
    fn failed_alone(reason: &str) -> Self {
        Self::failed(reason, format!("Failed: {reason}\n"))
    }

    /// Puts the report of the trial so far before its own.
    fn after(self, so_far: &str) -> Self {
        match self {
            Self::Passed(directions, report) => Self::Passed(directions, format!("{so_far}{report}")),
            Self::Failed { reason, report } => Self::Failed { reason, report: format!("{so_far}{report}") },
            Self::Dropped => Self::Dropped,
        }
    }
}

impl Checker {
    /// Makes a checker whose processes take at most so long each, and end once it is stopping.
    pub const fn new(plan: LadderPlan, time: Duration, is_stopping: Arc<AtomicBool>) -> Self {
        Self { plan, time, is_stopping }
    }

    /// Tries a player out, up to its first failure: whether it can be loaded at all, `server check`, and a pair of games
    /// against itself. Fails when we could not do our work.
    pub fn examine(&self, player: &Path, sha256: &str, trial: &Trial<'_>) -> io::Result<Checked> {
        if let Some(reason) = self.unplayable(player, sha256) {
            return Ok(Checked::failed_alone(&reason));
        }
        let mut checked = match trial.size {
            Some(size) => self.check(player, size, &trial.output)?,
            None => Checked::Passed(None, String::new()),
        };
        for game in [1, 2] {
            if let (Some(folder), Checked::Passed(directions, report)) = (trial.games, &checked) {
                checked = self.play_itself(player, *directions, game, folder)?.after(report);
            }
        }
        Ok(checked)
    }

    /// Why a file cannot be a player at all.
    fn unplayable(&self, copy: &Path, sha256: &str) -> Option<String> {
        let (name, sha256) = ("it".to_owned(), Some(sha256.to_owned()));
        let own = PlayerSettings::default();
        let plan = self.plan.with(vec![Entrant { name, file: copy.to_owned(), sha256, directions: None, own }]);
        let start = start_of(&plan.boards[0]).ok()?;
        let error = plan.config(start, &plan.players[0]).err()?;
        // The copy's name says nothing to whoever handed it in.
        Some(error_chain(&error).replace(&copy.display().to_string(), "it"))
    }

    /// Runs `server check` on a player, whose output is in a file meanwhile.
    fn check(&self, copy: &Path, size: u32, output: &Path) -> io::Result<Checked> {
        let mut command = Command::new("/proc/self/exe");
        command.args(check_words(&self.plan, size)).arg("--json").arg(copy);
        let ran = self.run(command, output).and_then(|status| Ok((status, contents(output)?)));
        // Should it stay, the next check writes over it.
        let _ = fs::remove_file(output);
        let (status, printed) = ran?;
        let (outcome, rest) = CheckOutcome::read(&printed);
        let report = format!("{rest}{outcome}");
        match status.map(|status| (status, status.code())) {
            Some((_, Some(0))) => Ok(Checked::Passed(outcome.needed, format!("{report}{}\n", outcome.verdict()))),
            Some((_, Some(1))) => {
                let reason = outcome.failure().unwrap_or_else(|| "it does not pass its check".to_owned());
                Ok(Checked::failed(&reason, format!("{report}{}\n", outcome.verdict())))
            }
            Some((status, _)) => Err(io::Error::other(format!("the check ended with {status}: {}", report.trim()))),
            None if self.is_stopping() => Ok(Checked::Dropped),
            None => {
                let reason = format!("the check took more than {} s", self.time.as_secs());
                Ok(Checked::failed(
                    outcome.failure().as_ref().unwrap_or(&reason),
                    format!("{report}Failed: {reason}\n"),
                ))
            }
        }
    }

    /// Plays a game of a player against itself, and leaves its record and what both printed in a folder, with the
    /// result in words. A player that was at fault has failed.
    fn play_itself(
        &self,
        copy: &Path,
        directions: Option<DirectionsArg>,
        game: u8,
        folder: &Path,
    ) -> io::Result<Checked> {
        let path = |kind: &str| folder.join(format!("itself-{game}{kind}"));
        let start = start_of(&self.plan.boards[0]).map_err(io::Error::other)?;
        let own = directions.map(|directions| vec![directions; 2]);
        let settings =
            GameSettings { directions: own.unwrap_or(self.plan.game.directions.clone()), ..self.plan.game.clone() };
        let mut command = Command::new("/proc/self/exe");
        command.args([copy; 2]).args(settings.options()).arg(format!("--position={start}"));
        command.arg(format!("--first={game}")).arg(format!("--seed={}", self.plan.seed)).args(["--quiet", "--strict"]);
        command.arg("--record").arg(path(".jsonl")).arg("--log-dir").arg(path(""));
        let status = self.run(command, &path(".txt"))?;
        let text = contents(&path(".txt"))?;
        match status.map(|status| (status, status.code())) {
            Some((_, Some(0))) => Ok(Checked::Passed(directions, format!("a game against itself: {text}"))),
            Some((_, Some(3))) => Ok(Checked::failed_alone(&format!("a game against itself: {}", text.trim()))),
            Some((status, _)) => Err(io::Error::other(format!("the game ended with {status}: {}", text.trim()))),
            None if self.is_stopping() => Ok(Checked::Dropped),
            None => {
                let seconds = self.time.as_secs();
                Ok(Checked::failed_alone(&format!("a game against itself took more than {seconds} s")))
            }
        }
    }

    fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }

    /// Runs this program again, with its output in a file; returns nothing when it had to be ended.
    fn run(&self, mut command: Command, output: &Path) -> io::Result<Option<ExitStatus>> {
        let out = File::create(output)?;
        command.stdin(Stdio::null()).stderr(out.try_clone()?).stdout(out);
        // It ends with the thread that waits for it.
        command.env(PARENT, std::process::id().to_string());
        // Ctrl-C is for us, who end it.
        command.process_group(0);
        self.wait(command.spawn()?)
    }

    fn wait(&self, mut child: Child) -> io::Result<Option<ExitStatus>> {
        let begun = Instant::now();
        while !self.is_stopping() && begun.elapsed() <= self.time {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            thread::sleep(ASK_EVERY);
        }
        child.kill()?;
        child.wait()?;
        Ok(None)
    }
}

/// Returns the words after `server` that check a player by the limits of a ladder's games, without its file.
pub fn check_words(plan: &LadderPlan, size: u32) -> Vec<String> {
    let settings = GameSettings { max_moves: None, adjudicate: false, resign: None, ..plan.game.clone() };
    let words = ["check", "--this-server"].map(str::to_owned).into_iter();
    words.chain([format!("--size={size}")]).chain(settings.options()).collect()
}

fn contents(report: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(report)?.take(REPORT_MAX).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
