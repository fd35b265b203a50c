use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use serde::Deserialize;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::catalogue::Entry;
use super::follow::{Follower, News};
use super::game::Game;
use super::redact::Audience;

/// How often a file is looked at that somebody watches.
const INTERVAL: Duration = Duration::from_millis(250);

/// The most that all games take that somebody watches.
const MEMORY_MAX: usize = 256 << 20;

/// The games that somebody watches: a file is read once for all its spectators, and only as long as there are any.
#[derive(Debug)]
pub(super) struct OpenRecords {
    audience: Audience,
    memory: Arc<AtomicUsize>,
    games: Mutex<HashMap<String, Weak<Game>>>,
}

impl OpenRecords {
    /// Shows games to this audience.
    #[must_use]
    pub(super) fn new(audience: Audience) -> Self {
        Self { audience, memory: Arc::default(), games: Mutex::default() }
    }

    /// Returns a game as far as its record goes, and follows the file as long as somebody holds the game.
    ///
    /// # Errors
    /// When the file cannot be read, or too much is being watched.
    pub(super) async fn open(&self, entry: &Entry) -> io::Result<Arc<Game>> {
        if let Some(game) = self.lock().get(&entry.id).and_then(Weak::upgrade) {
            return Ok(game);
        }
        let game = Arc::new(Game::new(Arc::clone(&self.memory)));
        let mut follower = Follower::new(Arc::clone(&entry.folder), entry.file.clone(), self.audience);
        let mut over = Ends::default();
        loop {
            let news;
            (follower, news) = read(follower).await;
            let News { lines, is_more, stamp } = news?;
            if self.memory.load(Ordering::Relaxed) as u64 + stamp.size > MEMORY_MAX as u64 {
                return Err(io::Error::from(io::ErrorKind::OutOfMemory));
            }
            over.see(&lines);
            game.append(lines);
            if !is_more {
                break;
            }
        }
        game.came_before(entry.age());
        if over.is_over {
            game.close();
        }
        game.tell_now();
        let mut games = self.lock();
        // Somebody else may have read it in the meantime.
        if let Some(other) = games.get(&entry.id).and_then(Weak::upgrade) {
            return Ok(other);
        }
        games.retain(|_, game| game.strong_count() > 0);
        games.insert(entry.id.clone(), Arc::downgrade(&game));
        if !over.is_over {
            tokio::spawn(follow(Arc::downgrade(&game), follower, over));
        }
        Ok(game)
    }

    /// Returns how many games are being watched.
    #[must_use]
    pub(super) fn watched(&self) -> usize {
        self.lock().values().filter(|game| game.strong_count() > 0).count()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Weak<Game>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notices when a record has come to its end; after the end of a void game it may go on.
#[derive(Debug, Default)]
struct Ends {
    is_over: bool,
}

/// What tells whether a line is the last one.
#[derive(Deserialize)]
struct Ending<'a> {
    event: &'a str,
    termination: Option<&'a str>,
}

impl Ends {
    fn see(&mut self, lines: &[Vec<u8>]) {
        if let Some(last) = lines.last() {
            let ending = serde_json::from_slice::<Ending<'_>>(last);
            self.is_over = ending.is_ok_and(|last| last.event == "end" && last.termination != Some("void"));
        }
    }
}

/// Appends what is new to a game until nobody watches it, or it is over, or its file is gone.
async fn follow(game: Weak<Game>, mut follower: Follower, mut over: Ends) {
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
        over.see(&lines);
        game.append(lines);
        if over.is_over || game.memory() > MEMORY_MAX {
            return finish(&game);
        }
        game.tell_now();
    }
}

fn finish(game: &Game) {
    game.close();
    game.tell_now();
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
