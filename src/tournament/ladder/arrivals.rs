//! The folder of players: which are there, which are new, which have gone.

mod examiner;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use std::{fs, io};

use self::examiner::{Examined, Examiner, Submission};
use super::open::{PLAYERS, REJECTED};
use super::{AdmissionSettings, Joined, Ladder, Refused};
use crate::text::visible;
use crate::tournament::contest::since_1970;
use crate::tournament::identity::{Identity, identity};

/// How long a check that could not be made waits for its next try.
const RETRY: Duration = Duration::from_secs(60);

/// How often a file must be found missing before its player leaves: some programs replace a file by removing it first.
const ABSENT: u32 = 2;

/// A change among the players.
#[derive(Debug)]
pub enum News {
    /// A player may play; a player of that name leaves.
    Joined(Joined),
    /// A file is not admitted.
    Refused(Refused),
    /// A player's file was taken away.
    Gone(String),
    /// A message for people.
    Note(String),
}

/// Whoever decides which players play.
pub trait Arrivals {
    /// Returns what has happened since the last call.
    fn news(&mut self, ladder: &Ladder) -> Vec<News>;

    /// Hears that a player was sent away because this machine cannot load it.
    fn rests(&mut self, _player: &Joined) {}

    /// Returns whether a newcomer needs a core.
    fn needs_core(&self) -> bool {
        false
    }
}

/// Watches the folder of players of a ladder.
#[derive(Debug)]
pub struct PlayersFolder {
    folder: PathBuf,
    look: Duration,
    looked: Option<Instant>,
    files: BTreeMap<String, Seen>,
    absent: BTreeMap<String, u32>,
    examiner: Examiner,
    is_unreadable: bool,
    /// Files whose names are not UTF-8, which were reported.
    unreadable: BTreeSet<OsString>,
}

/// A file as it was at the last look.
#[derive(Clone, Copy, Debug)]
struct Seen {
    identity: Identity,
    progress: Progress,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Progress {
    /// It was new, or another one than before.
    Fresh,
    /// It is being examined, or was.
    Taken,
    /// It could not be examined; it will be then.
    Later(Instant),
}

impl PlayersFolder {
    /// Begins to watch.
    pub fn new(folder: &Path, ladder: &Ladder, admission: AdmissionSettings) -> Self {
        Self {
            folder: folder.to_owned(),
            look: admission.look,
            looked: None,
            files: BTreeMap::new(),
            absent: BTreeMap::new(),
            examiner: Examiner::start(folder, ladder.plan().clone(), admission.check),
            is_unreadable: false,
            unreadable: BTreeSet::new(),
        }
    }

    fn look_at(&mut self, ladder: &Ladder, names: &BTreeSet<String>, news: &mut Vec<News>) {
        let missing = |contender: &&super::Contender| contender.is_present && !names.contains(&contender.joined.name);
        let missing: Vec<String> =
            ladder.contenders().iter().filter(missing).map(|contender| contender.joined.name.clone()).collect();
        self.absent.retain(|name, _| missing.contains(name));
        for name in missing {
            let looks = self.absent.entry(name.clone()).or_default();
            *looks += 1;
            if *looks >= ABSENT {
                news.push(News::Gone(name));
            }
        }
        self.files.retain(|name, _| names.contains(name));
        for name in names {
            self.look_at_file(ladder, name);
        }
    }

    fn look_at_file(&mut self, ladder: &Ladder, name: &str) {
        let path = self.folder.join(PLAYERS).join(format!("{name}.so"));
        let Some(identity) = identity(&path) else { return };
        let seen = self.files.entry(name.to_owned()).or_insert(Seen { identity: [0; 5], progress: Progress::Fresh });
        if seen.identity != identity {
            *seen = Seen { identity, progress: Progress::Fresh };
            return;
        }
        let is_due = match seen.progress {
            Progress::Fresh => true,
            Progress::Taken => false,
            Progress::Later(then) => Instant::now() >= then,
        };
        if is_due {
            seen.progress = Progress::Taken;
            let hash = |name: &str| ladder.present(name).map(|contender| contender.joined.sha256.clone());
            self.examiner.submit(Submission {
                name: name.to_owned(),
                path,
                identity,
                playing: hash(name),
                refused: ladder.refused().get(name).map(|refused| refused.sha256.clone()),
                passed: ladder.contenders().iter().map(|it| (it.joined.sha256.clone(), it.joined.directions)).collect(),
            });
        }
    }

    fn conclude(&mut self, ladder: &Ladder, name: String, examined: Examined, news: &mut Vec<News>) {
        let at = since_1970();
        let progress = match &examined {
            Examined::Changed => Progress::Fresh,
            Examined::Failed(_) => Progress::Later(Instant::now() + RETRY),
            _ => Progress::Taken,
        };
        if let Some(seen) = self.files.get_mut(&name)
            && seen.progress == Progress::Taken
        {
            seen.progress = progress;
        }
        match examined {
            Examined::Known | Examined::Changed => {}
            // It was submitted twice.
            Examined::Admitted { sha256, .. } if ladder.present(&name).is_some_and(|it| it.joined.sha256 == sha256) => {
            }
            Examined::Admitted { sha256, file, directions, options } => {
                // The old report is outdated; should it stay, it does no harm.
                let _ = fs::remove_file(self.folder.join(REJECTED).join(format!("{name}.txt")));
                let version = ladder.version_of(&name, &sha256);
                news.push(News::Joined(Joined {
                    name,
                    version,
                    sha256,
                    file,
                    directions,
                    options,
                    is_anchor: false,
                    at,
                }));
            }
            Examined::Refused { sha256, reason } => news.push(News::Refused(Refused { name, sha256, reason, at })),
            Examined::Failed(reason) => {
                let name = visible(&name);
                news.push(News::Note(format!("{name} cannot be checked now, and will be later: {reason}")));
            }
        }
    }
}

impl Arrivals for PlayersFolder {
    fn needs_core(&self) -> bool {
        self.examiner.pool.needs_core.load(Ordering::Relaxed)
    }

    /// Looks at the folder if it is time to, and returns what has happened.
    fn news(&mut self, ladder: &Ladder) -> Vec<News> {
        let mut news = Vec::new();
        while let Some((name, examined)) = self.examiner.examined() {
            self.conclude(ladder, name, examined, &mut news);
        }
        if self.looked.is_none_or(|looked| looked.elapsed() >= self.look) {
            self.looked = Some(Instant::now());
            match names(&self.folder.join(PLAYERS)) {
                Ok((names, unreadable)) => {
                    self.is_unreadable = false;
                    for file in unreadable.difference(&self.unreadable) {
                        let file = visible(&file.to_string_lossy());
                        news.push(News::Note(format!("{file} is left out: its name is not UTF-8: rename it")));
                    }
                    self.unreadable = unreadable;
                    self.look_at(ladder, &names, &mut news);
                }
                // No player leaves because of a disk that does not answer.
                Err(error) if !self.is_unreadable => {
                    self.is_unreadable = true;
                    let path = self.folder.join(PLAYERS);
                    news.push(News::Note(format!(
                        "cannot read {}: {error}: no player is admitted or removed until then",
                        path.display()
                    )));
                }
                Err(_) => {}
            }
        }
        news
    }
}

/// Lists the players of a folder by the names of their files without the ending, and files whose names are not UTF-8;
/// what is no file is refused later.
fn names(folder: &Path) -> io::Result<(BTreeSet<String>, BTreeSet<OsString>)> {
    let (mut names, mut unreadable) = (BTreeSet::new(), BTreeSet::new());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default();
        if path.extension() == Some(OsStr::new("so")) && !stem.as_encoded_bytes().starts_with(b".") {
            match stem.to_str() {
                Some(name) => drop(names.insert(name.to_owned())),
                None => drop(unreadable.insert(path.file_name().unwrap_or_default().to_owned())),
            }
        }
    }
    Ok((names, unreadable))
}
