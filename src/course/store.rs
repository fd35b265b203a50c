//! A course on its disk: every change is a line of its journal, and nothing has happened that has no line.
//!
//! Any process may change a course: it takes a lock, reads what others have added, and adds its line.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use amazons_program::Lock;
use amazons_program::files::{open, write_whole};
use amazons_program::journal::{Journal, Read};

use super::baseline::Baseline;
use super::build::{BuildLimits, head, useless};
use super::settings::{LADDER, SETTINGS, TEMPLATE};
use super::teams::ListedTeam;
use super::tokens::new_token;
use super::{
    COURSE, Course, CourseError, CourseHeader, CourseLine, CourseSettings, Happening, Rule, Version, VersionState,
};
use crate::files::copy_hashed;
use crate::tournament::{Identity, PlanError, identity, since_1970};

/// The folders of a course besides its ladder: the versions of its teams, and uploads that are still arriving.
pub const VERSIONS: &str = "versions";
/// Crates for all builds, made by `cargo vendor`.
pub(super) const CRATES: &str = "crates";
const INCOMING: &str = "incoming";

/// The upload, and the player that was built from it, in the folder of a version.
pub const UPLOAD: &str = "upload";
pub const PLAYER: &str = "player.so";

/// The file that is locked while a course changes.
const LOCK: &str = "course.lock";
/// Takes its place on file systems without locks.
const HELD: &str = "course.lock.held";

/// A course in its folder.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    course: Course,
    journal: Journal,
    settings: CourseSettings,
    /// The file of settings as it was read last.
    settings_file: Option<Identity>,
    /// A line about its last change that nobody was told.
    news: Option<String>,
    /// How many bytes of a torn line were dropped.
    torn: u64,
}

/// An upload that has arrived whole.
#[derive(Debug)]
pub struct Arrived {
    pub path: PathBuf,
    /// Its hash.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
}

/// The answer to an upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    pub version: u32,
    /// Whether it came after the deadline of its stage.
    pub is_late: bool,
    /// Whether it is only to be tried out.
    pub is_trial: bool,
    /// Whether it was there before.
    pub arrival: Arrival,
}

/// Whether an upload was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It was not.
    New,
    /// It is the newest version of its team.
    Known,
    /// So it was, and has been refused.
    Refused,
}

impl Arrived {
    /// Copies a file to a new one, and syncs it.
    pub fn copy(from: &Path, to: &Path) -> Result<Self, CourseError> {
        let mut source = open(from).map_err(|source| Rule::Unreadable { path: from.to_owned(), source })?;
        let mut target =
            OpenOptions::new().write(true).create_new(true).mode(0o600).open(to).map_err(CourseError::file(to))?;
        let sha256 = copy_hashed(&mut source, &mut target).map_err(CourseError::file(to))?;
        target.sync_all().map_err(CourseError::file(to))?;
        let bytes = target.metadata().map_err(CourseError::file(to))?.len();
        Ok(Self { path: to.to_owned(), sha256, bytes })
    }
}

impl Receipt {
    /// Returns a line for the team.
    pub fn told(&self, team: &str) -> String {
        let version = self.version;
        let more = match (self.is_late, self.is_trial) {
            (false, false) => "",
            (true, false) => ", late",
            (false, true) => ", to be tried out",
            (true, true) => ", late, to be tried out",
        };
        match self.arrival {
            Arrival::New => format!("{team}: version {version} is received{more}\n"),
            Arrival::Known => format!("{team}: this is version {version}, which is here already{more}\n"),
            Arrival::Refused => {
                format!("{team}: this is version {version}, which was refused{more}: change something\n")
            }
        }
    }
}

impl Store {
    /// Makes a course in a new folder, and returns the token of each team. Fails when the folder exists already or
    /// cannot be made; nothing is left of it then.
    pub fn create(folder: &Path, teams: &[ListedTeam]) -> Result<Vec<[String; 2]>, CourseError> {
        made_whole(folder, |draft| Self::fill(draft, teams))
    }

    fn fill(folder: &Path, teams: &[ListedTeam]) -> Result<Vec<[String; 2]>, CourseError> {
        for part in [VERSIONS, LADDER, INCOMING] {
            private_dir(&folder.join(part))?;
        }
        let settings = folder.join(SETTINGS);
        let seed = Self::draw_seed(folder)?;
        let seeded = TEMPLATE.replacen("seed = 0         ", &format!("seed = {seed:<10}"), 1);
        write_whole(&settings, seeded.as_bytes()).map_err(CourseError::file(&settings))?;
        let mut journal = Journal::create(&folder.join(COURSE), &CourseHeader::new(since_1970()))?;
        let mut tokens = Vec::new();
        for team in teams {
            let (token, what) = joining(folder, team)?;
            journal.append(&CourseLine { team: team.name.clone(), at: since_1970(), what })?;
            tokens.push([team.name.clone(), token]);
        }
        journal.sync()?;
        Ok(tokens)
    }

    /// Draws a seed: whoever has the server could compute the openings of one that all courses share.
    pub(super) fn draw_seed(folder: &Path) -> Result<u64, CourseError> {
        let [drawn, _] = new_token().map_err(CourseError::file(folder))?;
        Ok(u64::from_str_radix(drawn.get(..8).unwrap_or_default(), 16).unwrap_or_default())
    }

    pub fn open(folder: &Path) -> Result<Self, CourseError> {
        Self::open_with(folder, CourseSettings::read)
    }

    /// Opens a course to look at it, even if its settings are wrong.
    pub fn open_anyway(folder: &Path) -> Result<Self, CourseError> {
        let read = |folder: &Path| CourseSettings::read(folder).or_else(|it| CourseSettings::standing_in(folder, &it));
        Self::open_with(folder, read)
    }

    fn open_with(folder: &Path, read: fn(&Path) -> Result<CourseSettings, PlanError>) -> Result<Self, CourseError> {
        check_owner(folder)?;
        let folder = std::path::absolute(folder).map_err(CourseError::file(folder))?;
        let settings_file = identity(&folder.join(SETTINGS));
        let settings = read(&folder).map_err(Rule::Settings)?;
        let held = lock(&folder)?;
        let (course, journal, torn) = replay(&folder, &settings)?;
        drop(held);
        Ok(Self { folder, course, journal, settings, settings_file, news: None, torn })
    }

    /// Returns where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns how many bytes of a torn last line were dropped.
    pub const fn torn(&self) -> u64 {
        self.torn
    }

    /// Returns its state.
    pub const fn course(&self) -> &Course {
        &self.course
    }

    /// Returns the settings as they are now in their file, or as they were, and what is wrong with the file.
    pub fn settings(&mut self) -> (&CourseSettings, Option<&str>) {
        let now = identity(&self.folder.join(SETTINGS));
        if now != self.settings_file {
            self.settings_file = now;
            match CourseSettings::read(&self.folder) {
                Ok(settings) => {
                    self.course.judge(&settings);
                    self.settings = settings;
                }
                Err(reason) => self.settings.complaint = Some(format!("{reason}: the settings before are kept")),
            }
            let news = self.settings.complaint.clone();
            self.news = news.or_else(|| Some(format!("{SETTINGS}: the settings are read again")));
        }
        (&self.settings, self.settings.complaint.as_deref())
    }

    /// Returns a line about the file of settings, once after each change.
    pub fn settings_news(&mut self) -> Option<String> {
        self.settings();
        self.news.take()
    }

    /// Returns the folder of a version.
    pub fn version_folder(&self, team: &str, version: u32) -> PathBuf {
        self.folder.join(VERSIONS).join(team).join(format!("{version:04}"))
    }

    /// Returns the path of a new file for an upload.
    pub fn incoming(&self) -> Result<PathBuf, CourseError> {
        let folder = self.folder.join(INCOMING);
        private_dir(&folder)?;
        let [name, _] = new_token().map_err(CourseError::file(&folder))?;
        Ok(folder.join(name))
    }

    /// Removes what earlier servers left of uploads that did not arrive whole.
    pub fn drop_incoming(&self) {
        // What cannot be removed does no harm.
        let _ = fs::remove_dir_all(self.folder.join(INCOMING));
    }

    /// Takes in what other processes have added, and the settings of now.
    pub fn refresh(&mut self) -> Result<(), CourseError> {
        self.settings();
        let now = self.journal.file().metadata().map(|metadata| metadata.len());
        if now.is_ok_and(|len| len == self.journal.size()) {
            return Ok(());
        }
        let _held = lock(&self.folder)?;
        self.reread()
    }

    pub(super) fn reread(&mut self) -> Result<(), CourseError> {
        (self.course, self.journal, self.torn) = replay(&self.folder, &self.settings)?;
        Ok(())
    }

    /// Checks that all versions are decided that count. Fails when some are not; it names them.
    pub fn check_settled(&self, counts: impl Fn(&Version) -> bool) -> Result<(), CourseError> {
        let line = |name: &str, it: &Version| format!("{name}: version {} is {}", it.number, it.state.word());
        let teams = self.course.teams().iter();
        let lines = teams.flat_map(|(name, team)| team.waiting().filter(|it| counts(it)).map(|it| line(name, it)));
        let lines: Vec<String> = lines.collect();
        if lines.is_empty() { Ok(()) } else { Err(Rule::Unsettled(lines.join("; ")).into()) }
    }

    /// Does something while nobody else changes the course.
    pub(super) fn change<T>(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<T, CourseError>,
    ) -> Result<T, CourseError> {
        let _held = lock(&self.folder)?;
        if self.journal.file().metadata().map_or(true, |metadata| metadata.len() != self.journal.size()) {
            self.reread()?;
        }
        change(self)
    }

    /// Writes a line down and applies it; it is on the disk then.
    fn add(&mut self, team: &str, what: Happening) -> Result<(), CourseError> {
        let line = CourseLine { team: team.to_owned(), at: since_1970(), what };
        // A line that does not follow must not be written.
        let mut after = self.course.clone();
        after.apply(&line).map_err(|wrong| CourseError::Foreign { line: None, wrong })?;
        after.judge(&self.settings);
        if let Err(error) = self.journal.append(&line) {
            // It may be there, or not.
            self.reread()?;
            return Err(error.into());
        }
        self.course = after;
        Ok(self.journal.sync()?)
    }

    /// Writes down what a server has done with a version.
    pub fn note(&mut self, team: &str, what: Happening) -> Result<(), CourseError> {
        self.change(|store| store.add(team, what))
    }

    /// Returns why a team cannot hand in a version of this size now.
    fn may_submit(&mut self, team: &str, bytes: u64) -> Result<(), CourseError> {
        let now = since_1970();
        self.settings();
        let team = self.team_at_work(team)?;
        let CourseSettings { upload_max, per_day, .. } = self.settings;
        self.settings.check_open(&team.extensions, now)?;
        if bytes > upload_max {
            return Err(Rule::TooLarge(upload_max).into());
        }
        if team.left(per_day, now) == 0 {
            let minutes = team.next_at(per_day, now).map(|next| (next - now).div_ceil(60));
            return Err(Rule::Quota { per_day, minutes }.into());
        }
        Ok(())
    }

    /// Returns why an upload of this size need not arrive: it may also be the newest version once more.
    pub fn may_arrive(&mut self, team: &str, bytes: u64) -> Result<(), CourseError> {
        let is_known = self.team_at_work(team)?.versions.last().is_some_and(|it| it.bytes == bytes);
        if is_known { Ok(()) } else { self.may_submit(team, bytes) }
    }

    /// Takes an upload as the next version of a team. The same bytes as those of the newest version are that version,
    /// also once it has been refused: a request that arrives twice changes nothing, however far the first has come.
    /// Only what was refused through no fault of the team is taken once more.
    /// A trial is checked as others are, and plays only if the team chooses it; handing it in once more does.
    pub fn receive(&mut self, team: &str, upload: &Arrived, is_trial: bool) -> Result<Receipt, CourseError> {
        let received = self.change(|store| {
            let newest = store.team_at_work(team)?.versions.last();
            if let Some(same) = newest.filter(|it| it.sha256 == upload.sha256 && !it.is_blameless) {
                let is_refused = matches!(same.state, VersionState::Refused(_));
                let arrival = if is_refused { Arrival::Refused } else { Arrival::Known };
                let becomes_chosen = same.is_trial && !is_trial && !is_refused;
                let is_trial = is_trial && same.is_trial;
                let receipt = Receipt { version: same.number, is_late: same.is_late, is_trial, arrival };
                if becomes_chosen {
                    store.add(team, Happening::Chosen { version: receipt.version })?;
                }
                return Ok(receipt);
            }
            store.may_submit(team, upload.bytes)?;
            let head = head(&upload.path).map_err(CourseError::file(&upload.path))?;
            useless(&head).map_or(Ok(()), |reason| Err(Rule::Useless(reason)))?;
            let version = u32::try_from(store.team(team)?.versions.len()).unwrap_or(u32::MAX).saturating_add(1);
            let folder = store.version_folder(team, version);
            // A server that ended before it wrote the line has left this.
            if folder.exists() {
                fs::remove_dir_all(&folder).map_err(CourseError::file(&folder))?;
            }
            private_dir(&folder)?;
            fs::rename(&upload.path, folder.join(UPLOAD)).map_err(CourseError::file(&folder))?;
            let (sha256, bytes) = (upload.sha256.clone(), upload.bytes);
            store.add(team, Happening::Received { version, sha256, bytes, is_trial })?;
            let is_late = store.team(team)?.version(version).is_some_and(|it| it.is_late);
            Ok(Receipt { version, is_late, is_trial, arrival: Arrival::New })
        });
        // It is of no use any more, if it is still there.
        let _ = fs::remove_file(&upload.path);
        received
    }

    /// Returns the limits of its builds.
    pub(super) fn build_limits(&self) -> BuildLimits {
        BuildLimits { crates: Some(self.folder().join(CRATES)).filter(|crates| crates.is_dir()), ..Default::default() }
    }

    /// Lets a team say which of its versions plays.
    pub fn choose(&mut self, team: &str, version: u32) -> Result<(), CourseError> {
        self.change(|store| {
            store.settings();
            store.settings.check_open(&store.team_at_work(team)?.extensions, since_1970())?;
            store.add_choice(team, version, Happening::Chosen { version })
        })
    }

    /// Lets an earlier version play again.
    pub fn roll_back(&mut self, team: &str, version: u32) -> Result<(), CourseError> {
        self.change(|store| store.add_choice(team, version, Happening::RolledBack { version }))
    }

    /// Adds a line by which a version plays that was admitted.
    fn add_choice(&mut self, team: &str, version: u32, what: Happening) -> Result<(), CourseError> {
        if self.team(team)?.player(version).is_none() {
            return Err(Rule::NotAdmitted { team: team.to_owned(), version }.into());
        }
        self.add(team, what)
    }

    /// Lets a team that was withdrawn play and hand in again.
    pub fn bring_back(&mut self, team: &str) -> Result<(), CourseError> {
        self.change(|store| {
            if !store.team(team)?.is_withdrawn {
                return Err(Rule::NotWithdrawn(team.to_owned()).into());
            }
            store.add(team, Happening::Returned)
        })
    }

    /// Takes a team out of the course; a roll-back brings it back.
    pub fn withdraw(&mut self, team: &str) -> Result<(), CourseError> {
        self.change(|store| {
            if store.team(team)?.is_withdrawn {
                return Ok(());
            }
            store.add(team, Happening::Withdrawn)
        })
    }

    /// Gives a team more time for a stage; returns whether it has more than others now.
    pub fn extend(&mut self, team: &str, stage: &str, until: u64) -> Result<bool, CourseError> {
        self.change(|store| {
            let stages = &store.settings().0.stages;
            let found = stages.iter().find(|it| it.name == stage).ok_or_else(|| Rule::NoStage(stage.to_owned()))?;
            let is_more = until > found.deadline;
            store.team(team)?;
            store.add(team, Happening::Extended { stage: stage.to_owned(), until })?;
            Ok(is_more)
        })
    }

    /// Gives a team another token, and returns it.
    pub fn renew_token(&mut self, team: &str) -> Result<String, CourseError> {
        let [token, hash] = new_token().map_err(CourseError::file(&self.folder))?;
        self.change(|store| {
            store.team(team)?;
            store.add(team, Happening::Token { token: hash })
        })?;
        Ok(token)
    }

    /// Gives whoever runs the course another token, and returns it.
    pub fn renew_teacher_token(&mut self) -> Result<String, CourseError> {
        let [token, hash] = new_token().map_err(CourseError::file(&self.folder))?;
        self.change(|store| store.add("", Happening::Teacher { token: hash }))?;
        Ok(token)
    }

    /// Adds teams, none if one of them cannot be, and returns the token of each.
    pub fn add_teams(&mut self, teams: &[ListedTeam]) -> Result<Vec<[String; 2]>, CourseError> {
        self.change(|store| {
            let baselines = Baseline::names(store.settings().0);
            for ListedTeam { name, .. } in teams {
                if store.course.teams().keys().any(|team| team.to_lowercase() == name.to_lowercase()) {
                    return Err(Rule::TeamExists(name.clone()).into());
                }
                if baselines.contains(name) {
                    return Err(Rule::IsBaseline(name.clone()).into());
                }
            }
            let mut tokens = Vec::new();
            for team in teams {
                let (token, what) = joining(&store.folder, team)?;
                store.add(&team.name, what)?;
                tokens.push([team.name.clone(), token]);
            }
            Ok(tokens)
        })
    }

    fn team_at_work(&self, name: &str) -> Result<&super::Team, CourseError> {
        match self.team(name)? {
            team if team.is_withdrawn => Err(Rule::Withdrawn(name.to_owned()).into()),
            team => Ok(team),
        }
    }

    pub(super) fn team(&self, name: &str) -> Result<&super::Team, CourseError> {
        Ok(self.course.teams().get(name).ok_or_else(|| Rule::NoTeam(name.to_owned()))?)
    }
}

/// Keeps root from leaving files that the user who runs the course could not change.
fn check_owner(folder: &Path) -> Result<(), CourseError> {
    let path = folder.join(COURSE);
    let about = match fs::metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(Rule::NotACourse(folder.to_owned()).into());
        }
        about => about.map_err(CourseError::file(&path))?,
    };
    if rustix::process::geteuid().is_root() && about.uid() != 0 {
        return Err(Rule::AnotherUsers(folder.to_owned()).into());
    }
    Ok(())
}

/// Makes a token for a team, and the line with which it joins.
fn joining(folder: &Path, ListedTeam { display, email, .. }: &ListedTeam) -> Result<(String, Happening), CourseError> {
    let [token, hash] = new_token().map_err(CourseError::file(folder))?;
    Ok((token, Happening::Joined { display: display.clone(), email: email.clone(), token: hash }))
}

fn replay(folder: &Path, settings: &CourseSettings) -> Result<(Course, Journal, u64), CourseError> {
    let mut course = Course::default();
    let (journal, Read { torn, .. }) = Journal::open::<CourseHeader, _>(&folder.join(COURSE), |number, line| {
        course.apply(&line).map_err(|wrong| CourseError::Foreign { line: Some(number), wrong })
    })?;
    course.judge(settings);
    Ok((course, journal, torn))
}

/// Makes a new folder, which is there whole or not at all.
pub(super) fn made_whole<T>(to: &Path, make: impl FnOnce(&Path) -> Result<T, CourseError>) -> Result<T, CourseError> {
    if to.exists() {
        return Err(Rule::Exists(to.to_owned()).into());
    }
    let name = to.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let draft = to.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let made = private_dir(&draft).and_then(|()| make(&draft)).and_then(|made| {
        fs::rename(&draft, to).map_err(CourseError::file(to))?;
        Ok(made)
    });
    // A part of it is of no use.
    made.inspect_err(|_| _ = fs::remove_dir_all(&draft))
}

/// Makes a folder that only we may use, with those that it lies in.
pub(super) fn private_dir(folder: &Path) -> Result<(), CourseError> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(CourseError::file(folder))
}

/// Waits for the right to change a course; changes are short.
fn lock(folder: &Path) -> Result<Lock, CourseError> {
    let path = folder.join(LOCK);
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    let lock = Lock::wait(file.map_err(CourseError::file(&path))?, &folder.join(HELD));
    lock.map_err(|error| CourseError::file(&path)(io::Error::other(error)))
}
