//! A person's own page: what it shows, what it asks, the answers, and the addresses.

use std::future::ready;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use amazons_pages::{Pages, Refusal, Server, missing, object, read};
use amazons_program::Exit;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use cluedo::card_names::CardNames;
use cluedo::deck::Triple;
use cluedo::record::{Ending, Rules, Story, Viewer};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Address;
use super::route::{Followed, Key, Words, aside, asset, moment, seen};
use super::state::state;
use crate::hint::own_hint;
use crate::person::{Ask, Front, Reply, View};
use crate::show::{card_list, ending_text};

/// How many games of a match can be looked at.
const KEPT: usize = 100;

/// The table of a person and what it is asked.
pub(crate) struct SeatPage {
    key: Key,
    table: Mutex<Table>,
    answered: Condvar,
    followed: Followed,
}

/// The page's state. It contains nothing of other hands and of the solution before the end.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) me: usize,
    /// The latest games; several in a match.
    pub(crate) games: Vec<Arc<Story>>,
    /// Where the person plays several games, what is to be said of them.
    pub(crate) about_match: Option<AboutMatch>,
    ask: Option<Ask>,
    /// Counts questions: an answer to an old one is not taken.
    step: usize,
    /// When the latest one was asked.
    asked_at: Instant,
    reply: Option<Reply>,
    /// Counts changes.
    version: usize,
}

/// A match at a server's table.
#[derive(Clone, Default)]
pub(crate) struct AboutMatch {
    pub(crate) place: String,
    /// The latest events.
    pub(crate) notice: String,
    /// Cards that are asked for, nobody knows yet by whom.
    pub(crate) pending: Option<[usize; 3]>,
}

/// An answer of the page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    step: usize,
    #[serde(default)]
    cards: Vec<usize>,
}

impl Table {
    /// Asks something else; what was asked before is no longer waited for.
    pub(crate) fn ask(&mut self, ask: Option<Ask>) {
        if self.ask != ask {
            self.step += 1;
            (self.ask, self.reply, self.asked_at) = (ask, None, Instant::now());
        }
    }

    /// Shows a new game, or what has happened in the latest one.
    fn show(&mut self, story: &Story) {
        if self.games.last().is_some_and(|last| last.game == story.game) {
            self.games.pop();
        } else if self.games.len() == KEPT {
            self.games.remove(0);
        }
        self.games.push(Arc::new(story.clone()));
    }

    /// Returns a game by its number, or the latest.
    fn game(&self, number: Option<u64>) -> Option<&Arc<Story>> {
        match number {
            Some(number) => self.games.iter().find(|story| story.game == number),
            None => self.games.last(),
        }
    }
}

impl SeatPage {
    pub(crate) fn new(me: usize, games: Vec<Arc<Story>>, about_match: Option<AboutMatch>) -> Result<Arc<Self>, Exit> {
        let asked_at = Instant::now();
        let table = Table { me, games, about_match, ask: None, step: 0, asked_at, reply: None, version: 0 };
        Ok(Arc::new(Self {
            key: Key::new()?,
            table: Mutex::new(table),
            answered: Condvar::new(),
            followed: Followed::default(),
        }))
    }

    /// Shows the page; returns its server and its address.
    pub(crate) fn serve(self: &Arc<Self>, address: Address) -> Result<(Server, String), Exit> {
        self.key.serve(address, Arc::clone(self))
    }

    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Table) -> T) -> T {
        let mut table = self.lock();
        table.version += 1;
        change(&mut table)
    }

    fn note(&self, change: impl FnOnce(&mut AboutMatch)) {
        self.change(|table| table.about_match.as_mut().map(change));
    }

    /// Waits for an answer; returns the number of the question, too.
    pub(crate) fn await_reply(&self) -> (usize, Reply) {
        let mut table = self.lock();
        loop {
            if let Some(reply) = table.reply.take() {
                return (table.step, reply);
            }
            table = self.answered.wait(table).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn reply(&self, name: &str, request: &Request) -> Result<(), Refusal> {
        let unprocessable = |why: String| (StatusCode::UNPROCESSABLE_ENTITY, format!("{why}\n"));
        let mut table = self.lock();
        let ask = table.ask.filter(|_| table.step == request.step);
        let ask =
            ask.ok_or_else(|| (StatusCode::CONFLICT, "this was not asked, or is answered already\n".to_owned()))?;
        let reply = match (name, ask) {
            ("suggest" | "accuse", Ask::Turn) => {
                let story = table.games.last().ok_or_else(missing)?;
                let three = <[usize; 3]>::try_from(&request.cards[..]).ok().and_then(|cards| story.deck.triple(cards));
                let cards = three.ok_or_else(|| {
                    let [first, second, third] = &crate::show::names(story).kinds;
                    unprocessable(format!("choose a {first}, a {second} and a {third}"))
                })?;
                if name == "suggest" { Reply::Suggest(cards) } else { Reply::Accuse(cards) }
            }
            ("show", Ask::Card { choices, .. }) => match request.cards[..] {
                [card] if card < 64 && choices.contains(card) => Reply::Card(card),
                _ => return Err(unprocessable("choose one of the cards that you can show".to_owned())),
            },
            ("leave", _) => Reply::Leave,
            _ => return Err(missing()),
        };
        (table.ask, table.reply) = (None, Some(reply));
        table.version += 1;
        self.answered.notify_all();
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Front for Arc<SeatPage> {
    type Word = (usize, Reply);

    const IS_PAGE: bool = true;

    fn tell(&mut self, _: &str, story: &Story, pending: Option<Triple>) -> Result<(), Exit> {
        self.change(|table| {
            table.me = story.seats.iter().position(|name| name == "you").unwrap_or(0);
            table.show(story);
        });
        self.note(|about| about.pending = pending);
        Ok(())
    }

    fn say(&mut self, text: &str) -> Result<(), Exit> {
        self.note(|about| text.clone_into(&mut about.notice));
        Ok(())
    }

    fn add(&mut self, text: &str) -> Result<(), Exit> {
        self.note(|about| about.notice += &format!(" {text}"));
        Ok(())
    }

    fn ask(
        &mut self,
        ask: Ask,
        _: Option<View<'_>>,
        words: &mut dyn FnMut() -> Option<(usize, Reply)>,
    ) -> Result<Option<Reply>, Exit> {
        self.change(|table| table.ask(Some(ask)));
        // A reply to an earlier question is not taken.
        let is_open = |&(step, _): &(usize, Reply)| {
            let table = self.lock();
            (table.ask, table.step) == (None, step)
        };
        Ok(std::iter::from_fn(words).find(is_open).map(|(_, reply)| reply))
    }
}

const PAGE: &str = include_str!("assets/play.html");

impl Pages for SeatPage {
    fn routes(self: Arc<Self>) -> Router {
        Router::new()
            .route("/assets/{name}", get(asset))
            .route("/play/{token}", get(html))
            .route("/play/{token}/state", get(own_state))
            .route("/play/{token}/changes", get(own_changes))
            .route("/play/{token}/{request}", post(act))
            .fallback(|| async { missing() })
            .with_state(self)
    }

    fn player<'a>(&self, path: &'a str) -> Option<(usize, &'a str)> {
        self.key.player(path)
    }

    async fn farewell(&self) {
        self.followed.farewell().await;
    }
}

async fn html(State(page): State<Arc<SeatPage>>, Path(token): Path<String>) -> Result<Response, Refusal> {
    page.key.check(&token)?;
    Ok(super::route::page("A game of Cluedo", &["page.js", "game.js", "play.js"], PAGE))
}

async fn own_state(
    State(page): State<Arc<SeatPage>>,
    Path(token): Path<String>,
    Query(words): Query<Words>,
) -> Result<Response, Refusal> {
    page.key.check(&token)?;
    let (viewer, ply) = moment(&words)?;
    let wrong = |_| (StatusCode::BAD_REQUEST, "game: write the number of a game\n".to_owned());
    let number = words.get("game").map(|number| number.parse()).transpose().map_err(wrong)?;
    let unknown = (StatusCode::BAD_REQUEST, "names: write english or french\n".to_owned());
    let language = |text: &String| LANGUAGES.iter().position(|name| name == text).ok_or(unknown);
    let names = words.get("names").map(language).transpose()?;
    let table = page.lock().clone();
    if number.is_some() && table.game(number).is_none() {
        return Err((StatusCode::NOT_FOUND, "there is no such game\n".to_owned()));
    }
    let value = aside(move || {
        let mut value = match table.game(number) {
            Some(story) => state(story, viewer.unwrap_or(Viewer::Seat(table.me)), ply)?,
            None => before_the_first(),
        };
        let names = names.filter(|_| table.games.last().is_some_and(|story| is_nameable(story)));
        add_question(&mut value, &table, names);
        add_names(&mut value, &table, names);
        if let Some(about) = &table.about_match {
            add_match(&mut value, &table, about);
        }
        Some(value)
    })
    .await?;
    Ok(object(&seen(value)?))
}

/// The page's state before the cards are dealt.
fn before_the_first() -> Value {
    let none: [u8; 0] = [];
    json!({
        "rules": "course", "seats": none, "kinds": none, "cards": none, "view": "", "viewers": none, "ply": 0,
        "turns": none, "hands": none, "grid": none, "triples": none,
    })
}

/// Adds what the person is asked, which is about the latest game whichever is shown.
fn add_question(value: &mut Value, table: &Table, names: Option<usize>) {
    value["me"] = table.me.into();
    value["step"] = table.step.into();
    value["asked"] = table.asked_at.elapsed().as_secs_f64().into();
    value["ask"] = match table.ask {
        None => Value::Null,
        Some(Ask::Turn) => {
            value["hint"] = table.games.last().and_then(|story| hint(story, table.me, names)).into();
            let hand = table.games.last().and_then(|story| story.hands[table.me]).unwrap_or_default();
            json!({ "what": "turn", "hand": hand.iter().collect::<Vec<_>>() })
        }
        Some(Ask::Card { asker, choices }) => {
            json!({ "what": "card", "asker": asker, "choices": choices.iter().collect::<Vec<_>>() })
        }
        Some(Ask::Wait) => json!({ "what": "wait" }),
        Some(Ask::Close) => json!({ "what": "close" }),
    };
}

/// The languages of the cards' names, as addresses name them.
const LANGUAGES: [&str; 2] = ["english", "french"];

/// Returns a card's name. Places, weapons and persons of a server are the first rooms, weapons and suspects.
fn card_name(language: usize, story: &Story, card: usize) -> String {
    let number = match story.rules {
        Rules::Classic => card,
        Rules::Course => {
            let kind = story.deck.kind(card);
            [12, 6, 0][kind] + card - story.deck.range(kind).start
        }
    };
    CardNames::classic().names(number)[language].clone()
}

/// Returns whether there are enough names for the cards of a game.
fn is_nameable(story: &Story) -> bool {
    story.rules == Rules::Classic || story.deck.of_kind(0).len() <= 6
}

fn add_names(value: &mut Value, table: &Table, names: Option<usize>) {
    let Some(story) = table.games.last() else { return };
    value["nameable"] = is_nameable(story).into();
    value["names"] = names.is_some().into();
    let Some(names) = names else { return };
    for (card, entry) in value["cards"].as_array_mut().into_iter().flatten().enumerate() {
        entry["name"] = card_name(names, story, card).into();
    }
}

/// Adds the list of games, and what is to be said of the match.
fn add_match(value: &mut Value, table: &Table, about: &AboutMatch) {
    let ending = |story: &Arc<Story>| match story.ending {
        Some(Ending::Won(seat)) if seat == table.me => Some("You win.".to_owned()),
        ending => ending.map(|ending| ending_text(story, ending)),
    };
    if let Some(shown) = table.games.iter().find(|story| value["game"] == story.game) {
        value["ending"] = ending(shown).into();
    }
    let row = |story: &Arc<Story>| json!([story.game, ending(story)]);
    value["match"] = json!({
        "place": about.place,
        "notice": about.notice,
        "pending": about.pending,
        "games": table.games.iter().map(row).collect::<Vec<_>>(),
    });
}

fn hint(story: &Story, me: usize, names: Option<usize>) -> Option<String> {
    own_hint(story, me, |cards| match names {
        Some(names) => cards.map(|card| card_name(names, story, card)).join(", "),
        None => card_list(story, cards.into_iter()),
    })
}

async fn own_changes(State(page): State<Arc<SeatPage>>, Path(token): Path<String>) -> Result<Response, Refusal> {
    page.key.check(&token)?;
    let followed = page.followed.clone();
    Ok(followed.changes(move || ready(Some(page.lock().version))))
}

async fn act(
    State(page): State<Arc<SeatPage>>,
    Path((token, name)): Path<(String, String)>,
    body: Body,
) -> Result<Response, Refusal> {
    page.key.check(&token)?;
    let request: Request = read(body, "{\"step\": N, \"cards\": [0, 6, 12]}").await?;
    page.reply(&name, &request)?;
    Ok(object(&json!({ "taken": request.step })))
}
