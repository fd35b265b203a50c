//! Builds and checks one version, and lets it play a pair of games against itself.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use amazons_program::files::write_whole;
use anyhow::Context;
use rustix::process::setpriority_process;
use rustix::thread::gettid;

use super::build::{BuildError, BuildUse, Built, Pace, build};
use super::{CourseError, Happening, PLAYER, Store, Team, UPLOAD, Version};
use crate::complain;
use crate::files::{sha256_of, without_folder};
use crate::text::visible;
use crate::tournament::admission::{Checked, Checker, Source, Trial, Turn, Turns};
use crate::tournament::ladder::LadderPlan;
use crate::tournament::since_1970;

/// The folder of the builds.
pub(super) const WORK: &str = "work";

/// The output of a build, and the report of a check, in the folder of a version.
pub(super) const BUILD: &str = "build.txt";
pub(super) const CHECK: &str = "check.txt";
/// The output of a check that goes on.
const CHECKING: &str = ".check";

/// How much the priority of builds is lowered: checks and games come first.
const BUILD_PRIORITY: i32 = 3;

/// How long a version rests that could not be worked on: longer each time.
const REST: Duration = Duration::from_secs(30);
const REST_MAX: Duration = Duration::from_secs(1800);

/// How many seconds a version that may have ended servers waits at most until nobody else does.
const ALONE_WAIT: u64 = 300;

/// The longest line of a reason.
const REASON_MAX: usize = 500;

/// A course that several threads use.
pub(super) type Shared = Arc<Mutex<Store>>;

pub(super) fn locked(store: &Shared) -> MutexGuard<'_, Store> {
    // A change is whole or an error.
    store.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The versions that wait for their turn.
pub(super) struct Waiting {
    store: Shared,
    /// Set after a failure.
    not_before: Option<Instant>,
}

impl Waiting {
    pub(super) const fn new(store: Shared) -> Self {
        Self { store, not_before: None }
    }

    /// Returns the team that has waited longest for a turn.
    fn longest(&self, turns: &Turns<'_>) -> Result<Option<String>, CourseError> {
        let mut open = locked(&self.store);
        open.refresh()?;
        let teams = open.course().teams().iter().filter(|(name, _)| turns.is_free(name));
        let waiting = teams.filter_map(|(name, team)| Some((name, team.next()?)));
        // Who must be alone lets others pass, for a while.
        let steps_back = |version: &Version| version.needs_alone() && since_1970() < version.since + ALONE_WAIT;
        let next = waiting.min_by_key(|(name, version)| (steps_back(version), turns.last(name), version.at));
        Ok(next.map(|(name, _)| name.clone()))
    }
}

impl Source for Waiting {
    type Work = VersionJob;

    fn next(&mut self, turns: &Turns<'_>) -> Option<String> {
        let news = locked(&self.store).settings_news();
        news.iter().for_each(|line| complain(line));
        if self.not_before.is_some_and(|then| Instant::now() < then) {
            return None;
        }
        self.longest(turns).unwrap_or_else(|error| {
            complain(&format!("{error}: nothing is checked until then"));
            self.not_before = Some(Instant::now() + REST);
            None
        })
    }

    fn is_alone(&self, name: &str) -> bool {
        locked(&self.store).course().teams().get(name).and_then(Team::next).is_some_and(Version::needs_alone)
    }

    fn accompany(&mut self, name: &str) {
        let mut open = locked(&self.store);
        if let Some(version) = open.course().teams().get(name).and_then(Team::next).map(|version| version.number)
            && let Err(error) = open.note(name, Happening::Accompanied { version })
        {
            complain(&format!("{error}: should the server die, version {version} of {name} counts as its only one"));
        }
    }

    fn take(&mut self, name: &str) -> Option<VersionJob> {
        let mut open = locked(&self.store);
        let version = open.course().teams().get(name)?.next()?.clone();
        let folder = open.version_folder(name, version.number);
        let work = open.folder().join(WORK).join(name);
        let settings = open.settings().0;
        Some(VersionJob {
            store: Arc::clone(&self.store),
            team: name.to_owned(),
            is_hopeless: version.is_hopeless(),
            is_alone: version.needs_alone(),
            rest: (REST * (version.setbacks + 1)).min(REST_MAX),
            version: version.number,
            folder,
            work,
            plan: settings.plan.clone(),
            check_size: settings.admission.check,
            check_time: settings.check_time,
        })
    }

    fn work(job: VersionJob, turn: &Turn) {
        if let Err(error) = job.work(turn) {
            let VersionJob { team, version, .. } = &job;
            complain(&format!("version {version} of {team} cannot be checked now, and will be later: {error:#}"));
            // Meanwhile the team's turn is not over.
            turn.rest(job.rest);
        }
    }
}

/// A version that is being worked on.
pub(super) struct VersionJob {
    store: Shared,
    team: String,
    version: u32,
    /// The folder of the version, and one for its build.
    folder: PathBuf,
    work: PathBuf,
    plan: LadderPlan,
    check_size: Option<u32>,
    check_time: Duration,
    is_hopeless: bool,
    /// Whether nothing else is being worked on.
    is_alone: bool,
    /// How long it rests if it cannot be worked on now.
    rest: Duration,
}

fn pace(turn: &Turn) -> Pace {
    match (turn.is_stopping.load(Ordering::Relaxed), turn.is_paused.load(Ordering::Relaxed)) {
        (true, _) => Pace::Stop,
        (false, true) => Pace::Wait,
        (false, false) => Pace::Go,
    }
}

impl VersionJob {
    /// Does it all, and writes down what came of it.
    /// Fails when we could not do our work; the version is worked on again later.
    fn work(&self, turn: &Turn) -> anyhow::Result<()> {
        if self.is_hopeless {
            let reason = "the server died five times while it worked on nothing else: ask your teacher";
            return Ok(self.note(self.refused(&[reason]))?);
        }
        match self.decide(turn).inspect_err(|error| self.postpone(&format!("{error:#}"), false))? {
            Some(what) => self.note(what)?,
            None if turn.is_dropped.load(Ordering::Relaxed) => self.postpone("the server's memory was short", true),
            None => self.postpone("the server was stopped", false),
        }
        Ok(())
    }

    fn refused(&self, reasons: &[impl AsRef<str>]) -> Happening {
        let reasons = reasons.iter().map(|reason| tidy(reason.as_ref())).collect();
        Happening::Refused { version: self.version, reasons, is_ours: false }
    }

    /// This server cannot do it, for this reason.
    fn unable(&self, reason: &str) -> Happening {
        Happening::Refused { version: self.version, reasons: vec![tidy(reason)], is_ours: true }
    }

    fn note(&self, what: Happening) -> Result<(), CourseError> {
        locked(&self.store).note(&self.team, what)
    }

    /// Writes down why it cannot be done now.
    fn postpone(&self, reason: &str, is_alone: bool) {
        let course = locked(&self.store).folder().to_owned();
        let reason = tidy(&without_folder(reason, &course));
        // What cannot be written down, on a full disk for example, is still said.
        let _ = self.note(Happening::Postponed { version: self.version, reason, is_alone });
    }

    /// Returns what came of it; nothing when it was stopped.
    fn decide(&self, turn: &Turn) -> anyhow::Result<Option<Happening>> {
        self.note(Happening::Building { version: self.version, is_alone: self.is_alone })?;
        let (upload, player) = (self.folder.join(UPLOAD), self.folder.join(PLAYER));
        if !upload.exists() {
            return Ok(Some(self.unable("the server has lost the upload: hand it in again")));
        }
        turn.is_building.store(true, Ordering::Relaxed);
        let built = self.build(&upload, &player, turn);
        turn.is_building.store(false, Ordering::Relaxed);
        turn.memory.store(0, Ordering::Relaxed);
        if pace(turn) == Pace::Stop {
            return Ok(None);
        }
        let sources = match built {
            Ok(Built { output, sources }) => {
                self.write(BUILD, &output)?;
                sources
            }
            Err(BuildError::Refused { reasons, output }) => {
                self.write(BUILD, &output)?;
                return Ok(Some(self.refused(&reasons)));
            }
            Err(error @ BuildError::Unable { what, .. }) => {
                complain(&format!("version {} of {}: {error}", self.version, self.team));
                let advice = "hand in a shared library (.so), or tell your teacher";
                return Ok(Some(self.unable(&format!("this server cannot build {what}: {advice}"))));
            }
            Err(BuildError::Own(error)) => return Err(error),
        };
        self.note(Happening::Checking { version: self.version })?;
        self.check(&player, sources, turn)
    }

    fn build(&self, upload: &Path, player: &Path, turn: &Turn) -> Result<Built, BuildError> {
        let limits = locked(&self.store).build_limits();
        let build = || {
            // Where that is not allowed, builds are as important as games. Their processes inherit it.
            let _ = setpriority_process(Some(gettid()), BUILD_PRIORITY);
            build(upload, &self.work, player, &limits, &|BuildUse { memory, computed }| {
                turn.memory.store(memory, Ordering::Relaxed);
                turn.computed_ms.store(u64::try_from(computed.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
                pace(turn)
            })
        };
        // A thread of its own, because a lowered priority cannot be raised again.
        thread::scope(|scope| scope.spawn(build).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    }

    /// Tries a player out like a ladder does, and lets it play itself; what failed is kept with its logs.
    fn check(&self, player: &Path, sources: Option<PathBuf>, turn: &Turn) -> anyhow::Result<Option<Happening>> {
        self.clear().context("cannot remove what an earlier check has left")?;
        let sha256 = sha256_of(player).with_context(|| player.display().to_string())?;
        let checker = Checker::new(self.plan.clone(), self.check_time, Arc::clone(&turn.is_stopping));
        let output = self.folder.join(CHECKING);
        let trial = Trial { size: self.check_size, output, games: Some(&self.folder) };
        // Teams need not know where the server keeps their files; libraries name their sources as they were built.
        let ours = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_owned()));
        let folders = [Some(self.folder.clone()), sources, ours];
        let without_paths =
            |text: &str| folders.iter().flatten().fold(text.to_owned(), |text, folder| without_folder(&text, folder));
        let (what, report) = match checker.examine(player, &sha256, &trial)? {
            Checked::Dropped => return Ok(None),
            Checked::Passed(directions, report) => {
                (Happening::Admitted { version: self.version, sha256, directions }, report)
            }
            Checked::Failed { reason, report } => (self.refused(&[without_paths(&reason)]), report),
        };
        self.write(CHECK, &without_paths(&report))?;
        Ok(Some(what))
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
