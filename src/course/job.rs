//! Builds and checks one version, and lets it play a pair of games against itself.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use amazons_program::files::write_whole;
use anyhow::Context;
use rustix::process::setpriority_process;
use rustix::thread::gettid;

use super::build::{BuildError, BuildLimits, Built, Pace, build, sources};
use super::store::CRATES;
use super::{Happening, PLAYER, Store, UPLOAD};
use crate::complain;
use crate::files::{sha256_of, without_folder};
use crate::game::DirectionsArg;
use crate::text::visible;
use crate::tournament::ladder::{Checked, Checker, LadderPlan};

/// The output of a build, and the report of a check, in the folder of a version.
pub(super) const BUILD: &str = "build.txt";
pub(super) const CHECK: &str = "check.txt";
/// The output of a check that goes on.
const CHECKING: &str = ".check";

/// How much the priority of builds is lowered: checks and games come first.
const BUILD_PRIORITY: i32 = 10;

/// The longest line of a reason.
const REASON_MAX: usize = 500;

/// A course that several threads use.
pub(super) type Shared = Arc<Mutex<Store>>;

pub(super) fn locked(store: &Shared) -> MutexGuard<'_, Store> {
    // A change is whole or an error.
    store.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A version that is being worked on.
pub(super) struct Job {
    pub(super) store: Shared,
    pub(super) team: String,
    pub(super) version: u32,
    /// The folder of the version, and one for its build.
    pub(super) folder: PathBuf,
    pub(super) work: PathBuf,
    pub(super) plan: LadderPlan,
    pub(super) check_size: Option<u32>,
    pub(super) check_time: Duration,
    /// Why the last server could not do it.
    pub(super) setback: Option<String>,
    pub(super) is_hopeless: bool,
    pub(super) turn: Arc<Turn>,
}

/// The state that the queue and a job share.
#[derive(Debug, Default)]
pub(super) struct Turn {
    /// Whether it is to end without a verdict.
    pub(super) is_stopping: Arc<AtomicBool>,
    /// Whether its build is to stand still.
    pub(super) is_paused: AtomicBool,
    /// Whether its build is over.
    pub(super) is_checking: AtomicBool,
}

impl Turn {
    fn pace(&self) -> Pace {
        match (self.is_stopping.load(Ordering::Relaxed), self.is_paused.load(Ordering::Relaxed)) {
            (true, _) => Pace::Stop,
            (false, true) => Pace::Wait,
            (false, false) => Pace::Go,
        }
    }
}

/// The end of the work on a version.
enum Verdict {
    Admitted {
        sha256: String,
        directions: Option<DirectionsArg>,
    },
    Refused(Vec<String>),
    /// This server cannot do it, for this reason.
    Unable(String),
    /// It was stopped.
    Dropped,
}

impl Job {
    /// Does it all, and writes down what came of it.
    ///
    /// # Errors
    /// When we could not do our work; the version is worked on again later.
    pub(super) fn work(&self) -> anyhow::Result<()> {
        let version = self.version;
        let verdict = match (self.is_hopeless, &self.setback) {
            (false, _) => self.decide().inspect_err(|error| self.postpone(error))?,
            (true, Some(cause)) => Verdict::Unable(format!("it was begun five times: {cause}: ask your teacher")),
            (true, None) => Verdict::Refused(vec![
                "it was begun five times, and the server ended or ran out of memory: ask your teacher".to_owned(),
            ]),
        };
        let tidied = |reasons: &[String]| reasons.iter().map(|reason| tidy(reason)).collect();
        let what = match verdict {
            Verdict::Dropped => return Ok(()),
            Verdict::Admitted { sha256, directions } => Happening::Admitted { version, sha256, directions },
            Verdict::Refused(reasons) => Happening::Refused { version, reasons: tidied(&reasons), is_ours: false },
            Verdict::Unable(reason) => Happening::Refused { version, reasons: tidied(&[reason]), is_ours: true },
        };
        Ok(self.note(what)?)
    }

    fn note(&self, what: Happening) -> Result<(), super::CourseError> {
        locked(&self.store).note(&self.team, what)
    }

    /// Writes down why it cannot be done now.
    fn postpone(&self, error: &anyhow::Error) {
        let course = locked(&self.store).folder().to_owned();
        let reason = tidy(&without_folder(&format!("{error:#}"), &course));
        // What cannot be written down, on a full disk for example, is still said.
        let _ = self.note(Happening::Postponed { version: self.version, reason });
    }

    fn decide(&self) -> anyhow::Result<Verdict> {
        self.note(Happening::Building { version: self.version })?;
        let (upload, player) = (self.folder.join(UPLOAD), self.folder.join(PLAYER));
        if !upload.exists() {
            return Ok(Verdict::Unable("the server has lost the upload: hand it in again".to_owned()));
        }
        let built = self.build(&upload, &player);
        if self.turn.pace() == Pace::Stop {
            return Ok(Verdict::Dropped);
        }
        match built {
            Ok(Built { output }) => self.write(BUILD, &output)?,
            Err(BuildError::Refused { reasons, output }) => {
                self.write(BUILD, &output)?;
                return Ok(Verdict::Refused(reasons));
            }
            Err(error @ BuildError::Unable { what, .. }) => {
                complain(&format!("version {} of {}: {error}", self.version, self.team));
                let advice = "hand in a shared library (.so), or tell your teacher";
                return Ok(Verdict::Unable(format!("this server cannot build {what}: {advice}")));
            }
            Err(BuildError::Own(error)) => return Err(error),
        }
        self.turn.is_checking.store(true, Ordering::Relaxed);
        self.note(Happening::Checking { version: self.version })?;
        self.check(&player)
    }

    fn build(&self, upload: &Path, player: &Path) -> Result<Built, BuildError> {
        let crates = Some(locked(&self.store).folder().join(CRATES)).filter(|crates| crates.is_dir());
        let limits = BuildLimits { crates, ..BuildLimits::default() };
        let build = || {
            // Where that is not allowed, builds are as important as games. Their processes inherit it.
            let _ = setpriority_process(Some(gettid()), BUILD_PRIORITY);
            build(upload, &self.work, player, &limits, &|| self.turn.pace())
        };
        // A thread of its own, because a lowered priority cannot be raised again.
        thread::scope(|scope| scope.spawn(build).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    }

    /// Checks a player like the ladder does, and lets it play itself; what failed is kept with its logs.
    fn check(&self, player: &Path) -> anyhow::Result<Verdict> {
        self.clear().context("cannot remove what an earlier check has left")?;
        let sha256 = sha256_of(player).with_context(|| player.display().to_string())?;
        let checker = Checker::new(self.plan.clone(), self.check_time, Arc::clone(&self.turn.is_stopping));
        let mut report = String::new();
        let mut directions = None;
        if let Some(reason) = checker.unplayable(player, &sha256) {
            self.write(CHECK, &format!("Failed: {reason}\n"))?;
            return Ok(Verdict::Refused(vec![reason]));
        }
        let steps: [&dyn Fn(Option<DirectionsArg>) -> io::Result<Checked>; 3] = [
            &|known| match self.check_size {
                Some(size) => checker.check(player, size, &self.folder.join(CHECKING)),
                None => Ok(Checked::Passed(known, String::new())),
            },
            &|known| checker.play_itself(player, known, 1, &self.folder),
            &|known| checker.play_itself(player, known, 2, &self.folder),
        ];
        for step in steps {
            match step(directions)? {
                Checked::Passed(needed, text) => {
                    directions = needed;
                    report.push_str(&text);
                }
                Checked::Dropped => return Ok(Verdict::Dropped),
                Checked::Failed { reason, report: text } => {
                    report.push_str(&text);
                    self.write(CHECK, &self.without_paths(&report))?;
                    return Ok(Verdict::Refused(vec![self.without_paths(&reason)]));
                }
            }
        }
        self.write(CHECK, &self.without_paths(&report))?;
        Ok(Verdict::Admitted { sha256, directions })
    }

    /// Teams need not know where the server keeps their files.
    fn without_paths(&self, text: &str) -> String {
        // Libraries name their sources as they were built.
        let ours = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_owned()));
        let folders = [Some(self.folder.clone()), sources(&self.work).ok(), ours].into_iter().flatten();
        folders.fold(text.to_owned(), |text, folder| without_folder(&text, &folder))
    }

    /// Removes the games of an earlier try.
    fn clear(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let is_game = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"itself-"));
            match is_game {
                true if path.is_dir() => fs::remove_dir_all(path)?,
                true => fs::remove_file(path)?,
                false => {}
            }
        }
        Ok(())
    }

    fn write(&self, name: &str, text: &str) -> anyhow::Result<()> {
        let path = self.folder.join(name);
        write_whole(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    }
}

fn tidy(reason: &str) -> String {
    visible(reason).chars().take(REASON_MAX).collect()
}
