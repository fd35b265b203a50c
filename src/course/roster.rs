//! The players of a course's ladder: the newest admitted version of each team, and the baselines.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use amazons_program::files::{open, write_whole_with};
use anyhow::{Context, bail};

use super::PLAYER;
use super::baseline::Baseline;
use super::job::{Shared, locked};
use crate::files::{copy_hashed, sha256_of};
use crate::game::DirectionsArg;
use crate::tournament::ladder::{ADMITTED, Arrivals, Joined, Ladder, News};
use crate::tournament::since_1970;

/// How often is looked for changes, again for a player whose file cannot be used, and for one that cannot be loaded.
const LOOK_EVERY: Duration = Duration::from_millis(200);
const RETRY: Duration = Duration::from_secs(60);
const REST: Duration = Duration::from_secs(600);

/// Someone who is to play.
struct Wanted {
    name: String,
    version: u32,
    file: PathBuf,
    sha256: String,
    directions: Option<DirectionsArg>,
    options: Option<String>,
    is_anchor: bool,
}

/// Compares a ladder with what a course says, so that nothing needs to be remembered between two servers.
pub(super) struct Roster {
    store: Shared,
    ladder: PathBuf,
    baselines: Vec<Baseline>,
    looked: Option<Instant>,
    /// After a failure.
    not_before: Option<Instant>,
    /// Since when players rest that cannot be loaded, by the hash of the file.
    resting: BTreeMap<String, Instant>,
}

impl Roster {
    pub(super) const fn new(store: Shared, ladder: PathBuf, baselines: Vec<Baseline>) -> Self {
        Self { store, ladder, baselines, looked: None, not_before: None, resting: BTreeMap::new() }
    }

    fn wanted(&self) -> anyhow::Result<Vec<Wanted>> {
        let mut store = locked(&self.store);
        store.refresh()?;
        let teams = store.course().teams().iter().filter_map(|(name, team)| {
            let (version, player) = team.playing()?;
            Some(Wanted {
                name: name.clone(),
                version,
                file: store.version_folder(name, version).join(PLAYER),
                sha256: player.sha256.clone(),
                directions: player.directions,
                options: None,
                is_anchor: false,
            })
        });
        let baselines = self.baselines.iter().cloned().map(|Baseline { name, file, sha256, options }| Wanted {
            name,
            version: 1,
            file,
            sha256,
            directions: None,
            options,
            is_anchor: true,
        });
        Ok(teams.chain(baselines).collect())
    }

    fn changes(&self, ladder: &Ladder, news: &mut Vec<News>) -> anyhow::Result<()> {
        let wanted = self.wanted()?;
        let mut failed = None;
        let present = ladder.contenders().iter().filter(|it| it.is_present).map(|it| &it.joined.name);
        let gone = present.filter(|name| wanted.iter().all(|wanted| wanted.name != **name));
        news.extend(gone.cloned().map(News::Gone));
        for it in wanted {
            if ladder.present(&it.name).is_some_and(|contender| contender.joined.sha256 == it.sha256) {
                continue;
            }
            if self.resting.get(&it.sha256).is_some_and(|since| since.elapsed() < REST) {
                continue;
            }
            let file = match self.copy(&it) {
                Ok(file) => file,
                Err(error) => {
                    // The others need not wait for it.
                    failed = failed.or(Some(error.context(format!("{} cannot join", it.name))));
                    continue;
                }
            };
            let Wanted { name, sha256, directions, options, is_anchor, .. } = it;
            let of_name = || ladder.contenders().iter().map(|it| &it.joined).filter(|it| it.name == name);
            // The number is the course's, unless the same file had another one.
            let same = of_name().find(|joined| joined.sha256 == sha256).map(|joined| joined.version);
            let is_free = of_name().all(|joined| joined.version != it.version);
            let version = same.unwrap_or_else(|| if is_free { it.version } else { ladder.version_of(&name, &sha256) });
            let at = since_1970();
            news.push(News::Joined(Joined { name, version, sha256, file, directions, options, is_anchor, at }));
        }
        failed.map_or(Ok(()), Err)
    }

    /// Copies a player for the ladder alone.
    fn copy(&self, wanted: &Wanted) -> anyhow::Result<String> {
        let file = format!("{ADMITTED}/{}-{}.so", wanted.name, &wanted.sha256[..16]);
        let path = self.ladder.join(&file);
        if sha256_of(&path).is_ok_and(|found| found == wanted.sha256) {
            return Ok(file);
        }
        fs::create_dir_all(self.ladder.join(ADMITTED))?;
        let mut found = String::new();
        write_whole_with(&path, |out| {
            found = copy_hashed(&mut open(&wanted.file)?, &mut &mut *out)?;
            Ok(())
        })
        .with_context(|| format!("cannot copy {}", wanted.file.display()))?;
        if found != wanted.sha256 {
            bail!("{} is not the file that was admitted", wanted.file.display());
        }
        Ok(file)
    }
}

impl Arrivals for Roster {
    fn news(&mut self, ladder: &Ladder) -> Vec<News> {
        let mut news = Vec::new();
        let is_early = self.looked.is_some_and(|looked| looked.elapsed() < LOOK_EVERY);
        if is_early || self.not_before.is_some_and(|then| Instant::now() < then) {
            return news;
        }
        self.looked = Some(Instant::now());
        self.not_before = None;
        if let Err(error) = self.changes(ladder, &mut news) {
            self.not_before = Some(Instant::now() + RETRY);
            news.push(News::Note(format!("{error:#}: this is tried again")));
        }
        news
    }

    fn rests(&mut self, player: &Joined) {
        self.resting.insert(player.sha256.clone(), Instant::now());
    }
}
