use std::collections::HashMap;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use amazons_pages::{Access, events};
use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::response::sse::Event;
use futures_util::future::{Either, select};
use futures_util::stream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::game::{Length, WatchedGame};
use super::site::Site;
use super::turns::Turns;

/// Maximum number of bytes to send to a spectator at a time, and to buffer for it.
const CHUNK: usize = 64 << 10;

/// The interval of checks on the games on the first page.
const TICK: Duration = Duration::from_millis(250);

/// How many games are opened before the lines of those so far are sent.
const OPENED_AT_ONCE: usize = 8;

/// The interval of searches for games for the first page.
const SEARCH: Duration = Duration::from_secs(2);

/// Counts spectators.
#[derive(Debug)]
pub(super) struct Counted(Arc<AtomicUsize>);

impl Counted {
    pub(super) fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A spectator of one game.
struct Spectator {
    game: Arc<WatchedGame>,
    length: watch::Receiver<Length>,
    /// The number of lines sent.
    cursor: usize,
    /// Whether the players' output is available while they play.
    prints: bool,
    knows_wait: bool,
    /// Those of the person who plays, for its page.
    turns: Option<Turns>,
    _counted: Counted,
}

/// Returns the number of the last event that a browser has seen; 0 if it has seen none.
pub(super) fn resumed(query: &HashMap<String, String>, headers: &HeaderMap) -> usize {
    let id = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    id.or(query.get("after").map(String::as_str)).and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Sends the lines of a game as server-sent events, starting after `after`, and a person's turns.
pub(super) fn one_game(site: &Site, game: Arc<WatchedGame>, after: usize, turns: Option<Turns>) -> Response {
    let length = game.subscribe();
    // A number beyond the last line belongs to another game.
    let cursor = if after <= game.length().lines { after } else { 0 };
    let prints = site.access == Access::Local && site.playing().is_some_and(|playing| Arc::ptr_eq(playing, &game));
    let counted = Counted::new(&site.spectators);
    let spectator = Spectator { game, length, cursor, prints, knows_wait: false, turns, _counted: counted };
    events(stream::unfold(spectator, Spectator::next))
}

impl Spectator {
    async fn next(mut self) -> Option<(Vec<Event>, Self)> {
        if std::mem::take(&mut self.prints) {
            return Some((vec![Event::default().event("prints").data("here")], self));
        }
        loop {
            // Read before the lines, so that no news is missed.
            let is_over = self.length.borrow_and_update().is_over;
            let lines = self.game.read(self.cursor, CHUNK);
            if !lines.is_empty() {
                let first = self.cursor + 1;
                self.cursor += lines.len();
                let event = |(number, line): (usize, &Bytes)| Event::default().id(number.to_string()).data(text(line));
                return Some(((first..).zip(&lines).map(event).collect(), self));
            }
            if let Some(turn) = self.turns.as_mut().and_then(Turns::news) {
                return Some((vec![turn], self));
            }
            if is_over {
                return None;
            }
            if !self.knows_wait {
                self.knows_wait = true;
                // After that, the list shows the game as cut off.
                let patience = self.game.patience().map(|time| Event::default().event("patience").data(millis(time)));
                return Some((std::iter::once(waited("", &self.game)).chain(patience).collect(), self));
            }
            match &mut self.turns {
                None => self.length.changed().await.ok()?,
                Some(turns) => {
                    let (lines, turn) = (pin!(self.length.changed()), pin!(turns.changed()));
                    if let Either::Left((Err(_), _)) = select(lines, turn).await {
                        return None;
                    }
                }
            }
        }
    }
}

/// Returns a line as data; a carriage return would end the field, and JSON allows one between tokens.
fn text(line: &Bytes) -> String {
    String::from_utf8_lossy(line).replace('\r', " ")
}

/// Makes the event with the time since the last line of a game.
fn waited(prefix: &str, game: &WatchedGame) -> Event {
    Event::default().event("waited").data(format!("{prefix}{}", millis(game.waited())))
}

fn millis(time: Duration) -> String {
    time.as_millis().to_string()
}

/// A spectator of all running games.
struct Onlooker {
    site: Arc<Site>,
    /// The games, and the number of their lines already sent.
    games: HashMap<String, (Arc<WatchedGame>, usize)>,
    searched: Option<Instant>,
    _counted: Counted,
}

/// Sends the lines of all running games as server-sent events, each after its game's name and its number.
///
/// An event `gone` follows a finished game.
pub(super) fn live_games(site: Arc<Site>) -> Response {
    let counted = Counted::new(&site.spectators);
    let onlooker = Onlooker { site, games: HashMap::new(), searched: None, _counted: counted };
    events(stream::unfold(onlooker, Onlooker::next))
}

impl Onlooker {
    async fn next(mut self) -> Option<(Vec<Event>, Self)> {
        loop {
            let mut events = Vec::new();
            if self.searched.is_none_or(|searched| searched.elapsed() >= SEARCH) {
                self.searched = self.search(&mut events).await.then(Instant::now);
            }
            self.collect(&mut events);
            if !events.is_empty() {
                return Some((events, self));
            }
            sleep(TICK).await;
        }
    }

    /// Adds new games and removes finished ones; returns whether none is left to add.
    async fn search(&mut self, events: &mut Vec<Event>) -> bool {
        let live = Site::live(&self.site).await;
        self.games.retain(|id, (game, sent)| {
            let stays = live.contains(id) || *sent < game.length().lines;
            if !stays {
                events.push(Event::default().event("gone").data(id));
            }
            stays
        });
        let before = self.games.len();
        for id in live {
            if self.games.len() == before + OPENED_AT_ONCE {
                return false;
            }
            if !self.games.contains_key(&id)
                && let Ok(game) = Site::open(&self.site, &id).await
            {
                events.push(waited(&format!("{id} "), &game));
                self.games.insert(id, (game, 0));
            }
        }
        true
    }

    fn collect(&mut self, events: &mut Vec<Event>) {
        let mut room = CHUNK;
        for (id, (game, sent)) in &mut self.games {
            for line in game.read(*sent, CHUNK) {
                *sent += 1;
                room = room.saturating_sub(line.len());
                events.push(Event::default().data(format!("{id} {sent}\n{}", text(&line))));
            }
            if room == 0 {
                return;
            }
        }
    }
}
