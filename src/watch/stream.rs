use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use super::game::{Game, Length};
use super::redact::Audience;
use super::site::Site;

/// How much a spectator is sent at a time; no more is kept for it.
const CHUNK: usize = 64 << 10;

/// How often a spectator hears that nothing has happened.
pub(super) const ALIVE: Duration = Duration::from_secs(10);

/// How often games on the first page are looked at.
const TICK: Duration = Duration::from_millis(250);

/// How often games are looked for on the first page.
const SEARCH: Duration = Duration::from_secs(2);

/// The first words of each stream: when to come back after a connection was lost, in milliseconds.
pub(super) const RETRY: &str = "retry: 1000\n\n";

/// The same for a game whose players' output can be asked for while they play.
const RETRY_AND_PRINTS: &str = "retry: 1000\n\nevent: prints\ndata: here\n\n";

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

/// Somebody who watches one game.
struct Spectator {
    game: Arc<Game>,
    length: watch::Receiver<Length>,
    /// How many lines were sent.
    cursor: usize,
    greeting: Option<&'static str>,
    knows_wait: bool,
    _counted: Counted,
}

/// Sends the lines of a game as server-sent events, from the line on that follows `after`.
pub(super) fn one_game(site: &Site, game: Arc<Game>, after: usize) -> Response {
    let length = game.subscribe();
    // Whoever asks for more than there is has seen another game.
    let cursor = if after <= game.length().lines { after } else { 0 };
    let prints = site.audience == Audience::Local && site.playing().is_some_and(|playing| Arc::ptr_eq(playing, &game));
    let spectator = Spectator {
        game,
        length,
        cursor,
        greeting: Some(if prints { RETRY_AND_PRINTS } else { RETRY }),
        knows_wait: false,
        _counted: Counted::new(&site.spectators),
    };
    events(Body::from_stream(stream::unfold(spectator, Spectator::next)))
}

impl Spectator {
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        if let Some(greeting) = self.greeting.take() {
            return Some((Ok(Bytes::from_static(greeting.as_bytes())), self));
        }
        loop {
            // Seen before the lines are read, so that no news is missed.
            let is_over = self.length.borrow_and_update().is_over;
            let lines = self.game.read(self.cursor, CHUNK);
            if !lines.is_empty() {
                let mut text = Vec::new();
                for line in lines {
                    self.cursor += 1;
                    text.extend_from_slice(format!("id: {}\n", self.cursor).as_bytes());
                    add_data(&mut text, &line);
                    text.push(b'\n');
                }
                return Some((Ok(text.into()), self));
            }
            if is_over {
                return None;
            }
            if !self.knows_wait {
                self.knows_wait = true;
                let waited = self.game.waited().as_millis();
                return Some((Ok(format!("event: waited\ndata: {waited}\n\n").into()), self));
            }
            match timeout(ALIVE, self.length.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return None,
                Err(_) => return Some((Ok(Bytes::from_static(b":\n\n")), self)),
            }
        }
    }
}

/// Adds a line as data. A carriage return, which JSON allows between its words, would end the field.
fn add_data(text: &mut Vec<u8>, line: &[u8]) {
    text.extend_from_slice(b"data: ");
    text.extend(line.iter().map(|&byte| if byte == b'\r' { b' ' } else { byte }));
    text.push(b'\n');
}

/// Somebody who looks at all games that are being played.
struct Onlooker {
    site: Arc<Site>,
    games: HashMap<String, (Arc<Game>, usize)>,
    searched: Option<Instant>,
    spoke: Instant,
    greeting: Option<&'static str>,
    _counted: Counted,
}

/// Sends the lines of all games that are being played as server-sent events; each says first of which game it is.
///
/// A game that is over is followed by an event `gone`.
pub(super) fn live_games(site: Arc<Site>) -> Response {
    let counted = Counted::new(&site.spectators);
    let onlooker = Onlooker {
        site,
        games: HashMap::new(),
        searched: None,
        spoke: Instant::now(),
        greeting: Some(RETRY),
        _counted: counted,
    };
    events(Body::from_stream(stream::unfold(onlooker, Onlooker::next)))
}

impl Onlooker {
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        if let Some(greeting) = self.greeting.take() {
            return Some((Ok(Bytes::from_static(greeting.as_bytes())), self));
        }
        loop {
            let mut text = Vec::new();
            if self.searched.is_none_or(|searched| searched.elapsed() >= SEARCH) {
                self.search(&mut text).await;
                self.searched = Some(Instant::now());
            }
            self.collect(&mut text);
            if text.is_empty() && self.spoke.elapsed() >= ALIVE {
                text.extend_from_slice(b":\n\n");
            }
            if !text.is_empty() {
                self.spoke = Instant::now();
                return Some((Ok(text.into()), self));
            }
            sleep(TICK).await;
        }
    }

    /// Takes up games that have begun and puts away those that are over.
    async fn search(&mut self, text: &mut Vec<u8>) {
        let live = Site::live(&self.site).await;
        self.games.retain(|id, (game, sent)| {
            let length = game.length();
            let stays = live.contains(id) || *sent < length.lines;
            if !stays {
                text.extend_from_slice(format!("event: gone\ndata: {id}\n\n").as_bytes());
            }
            stays
        });
        for id in live {
            if !self.games.contains_key(&id)
                && let Ok(game) = Site::open(&self.site, &id).await
            {
                let mut begun = String::new();
                // Writing to a string cannot fail.
                let _ = write!(begun, "event: waited\ndata: {id} {}\n\n", game.waited().as_millis());
                text.extend_from_slice(begun.as_bytes());
                self.games.insert(id, (game, 0));
            }
        }
    }

    fn collect(&mut self, text: &mut Vec<u8>) {
        for (id, (game, sent)) in &mut self.games {
            for line in game.read(*sent, CHUNK) {
                *sent += 1;
                text.extend_from_slice(format!("data: {id} {sent}\n").as_bytes());
                add_data(text, &line);
                text.push(b'\n');
            }
            if text.len() >= CHUNK {
                return;
            }
        }
    }
}

pub(super) fn events(body: Body) -> Response {
    ([(CONTENT_TYPE, "text/event-stream")], body).into_response()
}
