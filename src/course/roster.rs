//! The players of a course's ladder: the newest admitted version of each team, and the baselines.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use amazons_program::files::{open, write_whole_with};
use anyhow::{Context, bail};

use super::PLAYER;
use super::baseline::Baseline;
use super::job::{Shared, locked};
use crate::files::{copy_hashed, sha256_of};
use crate::tournament::ladder::{ADMITTED, Arrivals, Joined, Ladder, News};
use crate::tournament::since_1970;

/// How often is looked for changes, again for a player whose file cannot be used, and for one that cannot be loaded.
const LOOK_EVERY: Duration = Duration::from_millis(200);
const RETRY: Duration = Duration::from_secs(60);
const REST: Duration = Duration::from_secs(600);

/// Someone who is to play, by a file of the course.
struct Wanted {
    file: PathBuf,
    joins: Joined,
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
    /// Whether builds and checks need a core.
    needs_core: Arc<AtomicBool>,
}

impl Roster {
    pub(super) const fn new(
        store: Shared,
        ladder: PathBuf,
        baselines: Vec<Baseline>,
        needs_core: Arc<AtomicBool>,
    ) -> Self {
        Self { store, ladder, baselines, looked: None, not_before: None, resting: BTreeMap::new(), needs_core }
    }

    fn wanted(&self) -> anyhow::Result<Vec<Wanted>> {
        let mut store = locked(&self.store);
        store.refresh()?;
        let teams = store.course().teams().iter().filter_map(|(name, team)| {
            let (version, player) = team.playing()?;
            let file = store.version_folder(name, version).join(PLAYER);
            let (sha256, directions) = (player.sha256.clone(), player.directions);
            Some(Wanted { file, joins: Joined { version, directions, ..joining(name.clone(), sha256) } })
        });
        let baselines = self.baselines.iter().cloned().map(|Baseline { name, file, sha256, options }| Wanted {
            file,
            joins: Joined { options, is_anchor: true, ..joining(name, sha256) },
        });
        Ok(teams.chain(baselines).collect())
    }

    fn changes(&self, ladder: &Ladder, news: &mut Vec<News>) -> anyhow::Result<()> {
        let wanted = self.wanted()?;
        let mut failed = None;
        let present = ladder.contenders().iter().filter(|it| it.is_present).map(|it| &it.joined.name);
        let gone = present.filter(|name| wanted.iter().all(|wanted| wanted.joins.name != **name));
        news.extend(gone.cloned().map(News::Gone));
        for Wanted { file, mut joins } in wanted {
            if ladder.present(&joins.name).is_some_and(|contender| contender.joined.sha256 == joins.sha256) {
                continue;
            }
            if self.resting.get(&joins.sha256).is_some_and(|since| since.elapsed() < REST) {
                continue;
            }
            joins.file = match self.copy(&file, &joins) {
                Ok(file) => file,
                Err(error) => {
                    // The others need not wait for it.
                    failed = failed.or(Some(error.context(format!("{} cannot join", joins.name))));
                    continue;
                }
            };
            let of_name = || ladder.contenders().iter().map(|it| &it.joined).filter(|it| it.name == joins.name);
            // The number is the course's, unless the same file had another one.
            let same = of_name().find(|joined| joined.sha256 == joins.sha256).map(|joined| joined.version);
            let is_free = of_name().all(|joined| joined.version != joins.version);
            let next = || if is_free { joins.version } else { ladder.version_of(&joins.name, &joins.sha256) };
            joins.version = same.unwrap_or_else(next);
            news.push(News::Joined(joins));
        }
        failed.map_or(Ok(()), Err)
    }

    /// Copies a player for the ladder alone.
    fn copy(&self, from: &Path, joins: &Joined) -> anyhow::Result<String> {
        let file = format!("{ADMITTED}/{}-{}.so", joins.name, &joins.sha256[..16]);
        let path = self.ladder.join(&file);
        if sha256_of(&path).is_ok_and(|found| found == joins.sha256) {
            return Ok(file);
        }
        fs::create_dir_all(self.ladder.join(ADMITTED))?;
        let mut found = String::new();
        write_whole_with(&path, |out| {
            found = copy_hashed(&mut open(from)?, &mut &mut *out)?;
            Ok(())
        })
        .with_context(|| format!("cannot copy {}", from.display()))?;
        if found != joins.sha256 {
            bail!("{} is not the file that was admitted", from.display());
        }
        Ok(file)
    }
}

/// Returns how somebody joins now, as version 1, whose file is to be copied.
fn joining(name: String, sha256: String) -> Joined {
    let file = String::new();
    Joined { name, version: 1, sha256, file, directions: None, options: None, is_anchor: false, at: since_1970() }
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

    fn needs_core(&self) -> bool {
        self.needs_core.load(Ordering::Relaxed)
    }
}
