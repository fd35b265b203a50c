use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use amazons_pages::Access;
use amazons_program::locked;
use serde::Deserialize;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::catalogue::RecordEntry;
use super::follow::{Follower, News};
use super::game::WatchedGame;

/// How often to check the file of a watched game.
const INTERVAL: Duration = Duration::from_millis(250);

/// Maximum memory for all watched games.
const MEMORY_MAX: usize = 256 << 20;

/// The watched games: each file is read once for all its spectators, and only while it has some.
#[derive(Debug)]
pub(super) struct OpenRecords {
    access: Access,
    memory: Arc<AtomicUsize>,
    games: Mutex<HashMap<String, Weak<WatchedGame>>>,
}

impl OpenRecords {
    /// Shows games with this access.
    pub(super) fn new(access: Access) -> Self {
        Self { access, memory: Arc::default(), games: Mutex::default() }
    }

    /// Returns a game as recorded so far, and follows the file as long as the game is held.
    pub(super) async fn open(&self, entry: &RecordEntry) -> io::Result<Arc<WatchedGame>> {
        if let Some(game) = locked(&self.games).get(&entry.id).and_then(Weak::upgrade) {
            return Ok(game);
        }
        let game = Arc::new(WatchedGame::new(Arc::clone(&self.memory)));
        let mut follower = Follower::new(Arc::clone(&entry.folder), entry.file.clone(), self.access);
        loop {
            let news;
            (follower, news) = read(follower).await;
            let News { lines, is_more, stamp } = news?;
            if self.memory.load(Ordering::Relaxed) as u64 + stamp.size > MEMORY_MAX as u64 {
                return Err(io::Error::from(io::ErrorKind::OutOfMemory));
            }
            game.append(lines);
            if !is_more {
                break;
            }
        }
        game.came_before(entry.age(), entry.summary.as_ref().ok().map(|summary| summary.patience));
        let is_over = game.last().is_some_and(|line| is_end(&line));
        if is_over {
            game.close();
        }
        game.notify_now();
        let mut games = locked(&self.games);
        // Another request may have read it meanwhile.
        if let Some(other) = games.get(&entry.id).and_then(Weak::upgrade) {
            return Ok(other);
        }
        games.retain(|_, game| game.strong_count() > 0);
        games.insert(entry.id.clone(), Arc::downgrade(&game));
        if !is_over {
            tokio::spawn(follow(Arc::downgrade(&game), follower));
        }
        Ok(game)
    }

    /// Returns the number of watched games.
    pub(super) fn watched(&self) -> usize {
        locked(&self.games).values().filter(|game| game.strong_count() > 0).count()
    }
}

/// Returns whether a line is the last of its record; a void game's end is not.
fn is_end(line: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Line<'a> {
        event: &'a str,
        termination: Option<&'a str>,
    }
    let line = serde_json::from_slice::<Line<'_>>(line);
    line.is_ok_and(|line| line.event == "end" && line.termination != Some("void"))
}

/// Appends news to a game until it has no spectators, is over, or its file is gone.
async fn follow(game: Weak<WatchedGame>, mut follower: Follower) {
    loop {
        sleep(INTERVAL).await;
        if game.strong_count() == 0 {
            return;
        }
        let news;
        (follower, news) = read(follower).await;
        let Some(game) = game.upgrade() else { return };
        let Ok(News { lines, .. }) = news else { return finish(&game) };
        if lines.is_empty() {
            continue;
        }
        let is_over = lines.last().is_some_and(|line| is_end(line));
        game.append(lines);
        if is_over || game.memory() > MEMORY_MAX {
            return finish(&game);
        }
        game.notify_now();
    }
}

fn finish(game: &WatchedGame) {
    game.close();
    game.notify_now();
}

async fn read(mut follower: Follower) -> (Follower, io::Result<News>) {
    let job = spawn_blocking(move || {
        let news = follower.read();
        (follower, news)
    });
    match job.await {
        Ok(read) => read,
        Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
    }
}
