use std::collections::BTreeMap;

use serde::Serialize;
use ts_rs::TS;

use super::error::{WrongCourseLine, WrongVersion};
use super::tokens::is_token;
use super::{CourseLine, CourseSettings, Extensions, Happening};
use crate::game::DirectionsArg;
use crate::tournament::ladder::valid_name;

/// How many servers may end while they build or check a version; then it is refused.
const DEATHS_MAX: u32 = 5;

/// A course as far as its journal goes, a function of the lines in their order and of nothing else; the deadlines of now
/// decide which versions were in time.
#[derive(Clone, Debug, Default)]
pub struct Course {
    teams: BTreeMap<String, Team>,
    /// The hash of the teacher's token.
    teacher: Option<String>,
}

/// A team and what it handed in.
#[derive(Clone, Debug, Default)]
pub struct Team {
    /// Its name for people.
    pub display: Option<String>,
    /// Where to write to it.
    pub email: Option<String>,
    /// Its deadlines of stages for which it has more time than others, which are nobody else's business.
    pub extensions: Extensions,
    /// Whether it plays no more.
    pub is_withdrawn: bool,
    /// All versions; the number of a version is its place here, from 1.
    pub versions: Vec<Version>,
    /// The versions that were to play, in the order in which they were.
    turns: Vec<PlayTurn>,
    token: String,
}

/// A version that was to play from then on.
#[derive(Clone, Copy, Debug)]
struct PlayTurn {
    version: u32,
    /// Whether somebody wanted it; others only were the newest.
    is_chosen: bool,
}

/// A version of a team's player, in the part that the team sees.
#[derive(Clone, Debug, Default, Serialize, TS)]
pub struct Version {
    /// Counts the team's versions from 1.
    #[serde(rename = "version")]
    pub number: u32,
    /// The hash of the upload.
    pub sha256: String,
    /// The size of the upload.
    pub bytes: u64,
    /// When it came, in seconds since 1970.
    pub at: u64,
    /// Whether it is only tried out; one that somebody chooses is no trial any more.
    pub is_trial: bool,
    /// The stage that it counts for by the deadlines of now; none after the last one.
    pub stage: Option<String>,
    /// Whether it came after the deadline of that stage, or of all.
    pub is_late: bool,
    /// Its state.
    #[serde(skip)]
    pub state: VersionState,
    /// When that was.
    pub since: u64,
    /// How many servers have died before the last one that began to work on it.
    #[serde(skip)]
    accidents: u32,
    /// How many servers have died while they worked on nothing else.
    #[serde(skip)]
    deaths: u32,
    /// Whether the last try was alone.
    #[serde(skip)]
    was_alone: bool,
    /// Whether a server that went on has asked for the next one to be.
    #[serde(skip)]
    is_next_alone: bool,
    /// How often a server could not do its work.
    #[serde(skip)]
    pub setbacks: u32,
    /// Why the last of them could not.
    #[serde(skip)]
    pub setback: Option<String>,
    /// Whether it was refused through no fault of the team.
    #[serde(skip)]
    pub is_blameless: bool,
}

/// The state of a version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum VersionState {
    /// It waits.
    #[default]
    Received,
    /// It is being built.
    Building,
    /// It is being checked.
    Checking,
    /// It may play.
    Admitted(AdmittedPlayer),
    /// It may not, for these reasons.
    Refused(Vec<String>),
}

/// A player that may play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdmittedPlayer {
    /// The hash of its file.
    pub sha256: String,
    /// The numbering that it needs, if that is not the ladder's.
    pub directions: Option<DirectionsArg>,
}

impl Course {
    /// Adds the next line. The error names what is wrong with it; the server writes no such line.
    pub fn apply(&mut self, CourseLine { team: name, at, what }: &CourseLine) -> Result<(), WrongCourseLine> {
        if let Happening::Teacher { token } = what {
            self.teacher = Some(token.clone());
            return Ok(());
        }
        if let Happening::Joined { display, email, token } = what {
            let team = Team { display: display.clone(), email: email.clone(), token: token.clone(), ..Team::default() };
            if !valid_name(name) || self.teams.insert(name.clone(), team).is_some() {
                return Err(WrongCourseLine::Joined(name.clone()));
            }
            return Ok(());
        }
        let team = self.teams.get_mut(name).ok_or_else(|| WrongCourseLine::NoTeam(name.clone()))?;
        team.apply(*at, what).map_err(|wrong| WrongCourseLine::Version(name.clone(), wrong))
    }

    /// Judges all versions by the deadlines that are set now.
    pub(super) fn judge(&mut self, settings: &CourseSettings) {
        for Team { versions, extensions, .. } in self.teams.values_mut() {
            for version in versions {
                let stage =
                    settings.stage_at(extensions, version.at).map(|it| it.map(|(stage, late)| (&stage.name, late)));
                (version.stage, version.is_late) = match stage {
                    Ok(Some((stage, is_late))) => (Some(stage.clone()), is_late),
                    Ok(None) => (None, false),
                    Err(_) => (None, true),
                };
            }
        }
    }

    /// Returns the teams by name.
    pub const fn teams(&self) -> &BTreeMap<String, Team> {
        &self.teams
    }

    /// Returns whether a token is the teacher's, in constant time.
    pub fn is_teacher(&self, token: &str) -> bool {
        self.teacher.as_ref().is_some_and(|hash| is_token(token, hash))
    }

    /// Finds a team by its token, in constant time.
    pub fn team_of(&self, token: &str) -> Option<&str> {
        // All are looked at, wherever the right one is.
        self.teams.iter().filter(|(_, team)| is_token(token, &team.token)).fold(None, |_, (name, _)| Some(&**name))
    }
}

impl Team {
    fn apply(&mut self, at: u64, what: &Happening) -> Result<(), WrongVersion> {
        match what {
            Happening::Joined { .. } | Happening::Teacher { .. } => {}
            Happening::Token { token } => token.clone_into(&mut self.token),
            Happening::Extended { stage, until } => _ = self.extensions.insert(stage.clone(), *until),
            Happening::Withdrawn => self.is_withdrawn = true,
            Happening::Returned => self.is_withdrawn = false,
            Happening::Received { version, sha256, bytes, is_trial } => {
                if *version as usize != self.versions.len() + 1 {
                    return Err(WrongVersion::NotNext(*version));
                }
                self.versions.push(Version {
                    number: *version,
                    sha256: sha256.clone(),
                    bytes: *bytes,
                    at,
                    is_trial: *is_trial,
                    since: at,
                    ..Version::default()
                });
            }
            Happening::Building { version, is_alone } => {
                let open = self.open(*version)?;
                (open.accidents, open.deaths) = (open.accidents + u32::from(open.has_died()), open.deaths());
                (open.was_alone, open.is_next_alone) = (*is_alone, false);
                self.set(*version, VersionState::Building, at)?;
            }
            Happening::Accompanied { version } => self.open(*version)?.was_alone = false,
            Happening::Checking { version } => self.set(*version, VersionState::Checking, at)?,
            Happening::Refused { version, reasons, is_ours } => {
                self.open(*version)?.is_blameless = *is_ours;
                self.set(*version, VersionState::Refused(reasons.clone()), at)?;
            }
            Happening::Postponed { version, reason, is_alone } => {
                self.set(*version, VersionState::Received, at)?;
                let open = self.open(*version)?;
                open.setback = Some(reason.clone());
                open.setbacks += 1;
                (open.was_alone, open.is_next_alone) = (false, *is_alone);
            }
            Happening::Admitted { version, sha256, directions } => {
                let player = AdmittedPlayer { sha256: sha256.clone(), directions: *directions };
                self.set(*version, VersionState::Admitted(player), at)?;
                if self.version(*version).is_some_and(|it| !it.is_trial) {
                    self.turns.push(PlayTurn { version: *version, is_chosen: false });
                }
            }
            Happening::Chosen { version } => match self.open(*version) {
                Ok(open) => open.is_trial = false,
                Err(_) => self.choose(*version)?,
            },
            Happening::RolledBack { version } => {
                self.choose(*version)?;
                self.is_withdrawn = false;
            }
        }
        Ok(())
    }

    /// Lets an admitted version play from now on.
    fn choose(&mut self, number: u32) -> Result<(), WrongVersion> {
        let is_admitted = |version: &&mut Version| matches!(version.state, VersionState::Admitted(_));
        self.version_mut(number).filter(is_admitted).ok_or(WrongVersion::NotAdmitted(number))?.is_trial = false;
        self.turns.push(PlayTurn { version: number, is_chosen: true });
        Ok(())
    }

    /// Finds a version that is not decided.
    fn open(&mut self, number: u32) -> Result<&mut Version, WrongVersion> {
        self.version_mut(number).filter(|version| version.is_open()).ok_or(WrongVersion::NotOpen(number))
    }

    fn set(&mut self, number: u32, state: VersionState, at: u64) -> Result<(), WrongVersion> {
        let version = self.open(number)?;
        (version.state, version.since, version.setback) = (state, at, None);
        Ok(())
    }

    fn version_mut(&mut self, number: u32) -> Option<&mut Version> {
        self.versions.get_mut((number as usize).checked_sub(1)?)
    }

    /// Returns a version by its number.
    pub fn version(&self, number: u32) -> Option<&Version> {
        self.versions.get((number as usize).checked_sub(1)?)
    }

    /// Returns the player of a version that was admitted.
    pub fn player(&self, number: u32) -> Option<&AdmittedPlayer> {
        match &self.version(number)?.state {
            VersionState::Admitted(player) => Some(player),
            _ => None,
        }
    }

    /// Returns the version that plays, and its player: the last one whose turn came, but none that was late if one was in
    /// time or was chosen.
    pub fn playing(&self) -> Option<(u32, &AdmittedPlayer)> {
        self.player_among(|_| true).map(|(version, player)| (version.number, player))
    }

    /// Returns the one of some versions that would play if there were no others, and its player.
    pub fn player_among(&self, counts: impl Fn(&Version) -> bool) -> Option<(&Version, &AdmittedPlayer)> {
        let turns = self.turns.iter().rev().filter(|_| !self.is_withdrawn);
        let turns = turns.filter_map(|turn| Some((turn.is_chosen, self.version(turn.version)?)));
        let mut turns = turns.filter(|(_, version)| counts(version)).peekable();
        let last = turns.peek().copied();
        let (_, version) = turns.find(|(is_chosen, version)| *is_chosen || !version.is_late).or(last)?;
        Some((version, self.player(version.number)?))
    }

    /// Returns the versions that may still come to play, in their order.
    pub fn waiting(&self) -> impl Iterator<Item = &Version> {
        let is_waiting = |version: &&Version| version.is_open() && !version.is_trial && !self.is_withdrawn;
        self.versions.iter().filter(is_waiting)
    }

    /// Returns the version to be built and checked next.
    pub fn next(&self) -> Option<&Version> {
        self.versions.iter().find(|version| version.is_open()).filter(|_| !self.is_withdrawn)
    }

    /// Returns how many versions may still be handed in, if that is allowed so often within 24 hours. Those that the
    /// server could not build do not count, unless there are as many of them.
    pub fn left(&self, per_day: u32, now: u64) -> usize {
        // A clock may have been ahead.
        let today = || self.versions.iter().filter(|it| it.at <= now && it.at.saturating_add(86_400) > now);
        let ours = today().filter(|version| version.is_blameless).count();
        let per_day = per_day as usize;
        per_day.saturating_sub(today().count() - ours.min(per_day))
    }

    /// Returns when the next version may be handed in, after as many as are allowed.
    pub fn next_at(&self, per_day: u32, now: u64) -> Option<u64> {
        let ends = self.versions.iter().map(|version| version.at.saturating_add(86_400));
        ends.filter(|&end| end > now && self.left(per_day, end) > 0).min()
    }

    /// Returns the word for the state of a version.
    pub fn word(&self, version: &Version) -> &'static str {
        match version.state {
            VersionState::Admitted(_) if version.is_trial => "tried",
            VersionState::Admitted(_) if self.playing().is_some_and(|(number, _)| number != version.number) => {
                "replaced"
            }
            ref state => state.word(),
        }
    }
}

impl VersionState {
    /// Returns the word for it.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Building => "building",
            Self::Checking => "checking",
            Self::Admitted(_) => "admitted",
            Self::Refused(_) => "refused",
        }
    }
}

impl Version {
    /// Returns why it was refused, or why it still waits.
    pub fn reasons(&self) -> &[String] {
        match &self.state {
            VersionState::Refused(reasons) => reasons,
            _ => self.setback.as_slice(),
        }
    }

    const fn is_open(&self) -> bool {
        matches!(self.state, VersionState::Received | VersionState::Building | VersionState::Checking)
    }

    /// Returns whether the last server that worked on it has died, when none does.
    const fn has_died(&self) -> bool {
        matches!(self.state, VersionState::Building | VersionState::Checking)
    }

    /// Returns how many servers have died that worked on nothing else; only to be asked when no server works on it.
    pub fn deaths(&self) -> u32 {
        self.deaths + u32::from(self.has_died() && self.was_alone)
    }

    /// Returns whether the next try is to be alone, since this one or another one beside it may have ended two servers
    /// or taken its memory; only to be asked when no server works on it.
    pub const fn needs_alone(&self) -> bool {
        (self.has_died() && self.accidents > 0) || self.is_next_alone
    }

    /// Returns whether too many servers have died that worked on nothing else.
    pub fn is_hopeless(&self) -> bool {
        self.deaths() >= DEATHS_MAX
    }
}
