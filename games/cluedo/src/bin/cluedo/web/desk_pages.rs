//! The addresses of a person's own page.

use std::future::ready;
use std::sync::Arc;

use amazons_pages::{Pages, Refusal, missing, object, read};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use cluedo::card_names::CardNames;
use cluedo::record::{Ending, Rules, Story, Viewer};
use serde_json::{Value, json};

use super::desk::{AboutMatch, Desk, Request, Table};
use super::route::{Words, aside, asset, moment, seen};
use super::state::state;
use crate::hint::own_hint;
use crate::person::Ask;
use crate::show::{card_list, ending_text};

const PAGE: &str = include_str!("assets/play.html");

impl Pages for Desk {
    fn routes(self: Arc<Self>) -> Router {
        Router::new()
            .route("/assets/{name}", get(asset))
            .route("/play/{token}", get(page))
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

async fn page(State(desk): State<Arc<Desk>>, Path(token): Path<String>) -> Result<Response, Refusal> {
    desk.key.check(&token)?;
    Ok(super::route::page("A game of Cluedo", &["page.js", "game.js", "play.js"], PAGE))
}

async fn own_state(
    State(desk): State<Arc<Desk>>,
    Path(token): Path<String>,
    Query(words): Query<Words>,
) -> Result<Response, Refusal> {
    desk.key.check(&token)?;
    let (viewer, ply) = moment(&words)?;
    let wrong = |_| (StatusCode::BAD_REQUEST, "game: write the number of a game\n".to_owned());
    let number = words.get("game").map(|number| number.parse()).transpose().map_err(wrong)?;
    let unknown = (StatusCode::BAD_REQUEST, "names: write english or french\n".to_owned());
    let language = |text: &String| LANGUAGES.iter().position(|name| name == text).ok_or(unknown);
    let names = words.get("names").map(language).transpose()?;
    let table = desk.lock().clone();
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

async fn own_changes(State(desk): State<Arc<Desk>>, Path(token): Path<String>) -> Result<Response, Refusal> {
    desk.key.check(&token)?;
    let followed = desk.followed.clone();
    Ok(followed.changes(move || ready(Some(desk.lock().version))))
}

async fn act(
    State(desk): State<Arc<Desk>>,
    Path((token, name)): Path<(String, String)>,
    body: Body,
) -> Result<Response, Refusal> {
    desk.key.check(&token)?;
    let request: Request = read(body, "{\"step\": N, \"cards\": [0, 6, 12]}").await?;
    desk.reply(&name, &request)?;
    Ok(object(&json!({ "taken": request.step })))
}
