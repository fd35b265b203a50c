//! People at browsers, as far as plain connections can test it.

use std::net::SocketAddr;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use amazons::cli::Cli;
use amazons::game::{self, Attachments, GameConfig};
use amazons::host::{Isolation, Launcher};
use amazons::referee::{Observer, Outcome, PlayerNumber, Termination};
use amazons::watch::{Access, Broadcast, PlaySeat, ServerLimits, Site, Viewer, WatchedGame};
use amazons_rules::Position;
use amazons_testing::let_pass;
use clap::Parser;
use serde_json::{Value, json};

use super::{Events, Reply, Sent, get, raw, serve};

pub(super) const START: &str = "5/4q/5/5/Q4 w";

/// A game of two people at browsers.
pub(super) struct WebSession {
    viewer: Option<Viewer>,
    pub(super) address: SocketAddr,
    pub(super) tokens: [String; 2],
    game: JoinHandle<Outcome>,
}

impl WebSession {
    fn of(args: &[&str]) -> Self {
        Self::with(ServerLimits::default(), args)
    }

    pub(super) fn with(bounds: ServerLimits, args: &[&str]) -> Self {
        let cli = Cli::try_parse_from([&["server"], args].concat()).expect("arguments");
        let config = GameConfig::new(&cli.play.game).expect("a game");
        let attachments = Attachments::new(&config);
        let game = Arc::new(WatchedGame::new(Arc::new(AtomicUsize::new(0))));
        let place = |player: PlayerNumber| {
            let session = attachments.sessions[player].clone().expect("a person at a browser");
            Arc::new(PlaySeat::new(player, session).expect("random numbers"))
        };
        let places = PlayerNumber::ALL.map(place);
        let tokens = places.each_ref().map(|place| place.token().to_owned());
        let site =
            Site::of_game(Access::Local, "live".to_owned(), Arc::clone(&game), places.to_vec(), Default::default());
        let viewer = serve(site, Access::Local, bounds);
        let game = thread::spawn(move || {
            let mut broadcast = Broadcast::new(game, Access::Local);
            let observers: &mut [&mut dyn Observer] = &mut [&mut broadcast];
            let mut launcher = Launcher::new(Isolation::None).expect("no process is needed");
            let start = game::start_event(&config);
            let played = game::play(&mut launcher, &config, &attachments, &start, observers, |_| Ok(()));
            played.expect("a game").outcome
        });
        Self { address: viewer.address(), viewer: Some(viewer), tokens, game }
    }

    pub(super) fn turns(&self, player: usize) -> Turns {
        Turns(Events::open(self.address, &format!("/play/{}/events", self.tokens[player]), ""))
    }

    /// Sends a request as the page does.
    pub(super) fn wish(&self, player: usize, what: &str, body: &Value) -> Reply {
        let headers = format!("origin: http://{}\r\ncontent-type: application/json\r\n", self.address);
        self.post(&format!("/play/{}/{what}", self.tokens[player]), &headers, &body.to_string())
    }

    fn post(&self, path: &str, headers: &str, body: &str) -> Reply {
        post(self.address, path, headers, body)
    }

    pub(super) fn end(mut self) -> Outcome {
        // The server waits some seconds for whoever does not know of the end.
        (0..2).for_each(|player| _ = self.turns(player).until(|turn| turn["over"] == true));
        let outcome = self.game.join().expect("it did not panic");
        self.viewer.take().expect("stopped once").stop().expect("it had not failed");
        outcome
    }
}

pub(super) fn post(address: SocketAddr, path: &str, headers: &str, body: &str) -> Reply {
    let length = body.len();
    raw(
        address,
        &format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
        ),
    )
}

/// The events about a person's turns.
pub(super) struct Turns(Events);

impl Turns {
    fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        self.0.find(|sent| sent.name == "turn" && wanted(&sent.json())).expect("another turn").json()
    }

    pub(super) fn at(&mut self, ply: u64) -> Value {
        self.until(|turn| turn["ply"] == ply)
    }
}

#[test]
fn only_our_page_with_the_token_plays() {
    let table = WebSession::of(&["--position", START, "web", "web"]);
    table.turns(0).at(0);
    let ours = format!("origin: http://{}\r\n", table.address);
    let json = "content-type: application/json\r\n";
    let good = format!("{ours}{json}");
    let token = &table.tokens[0];
    let path = format!("/play/{token}/move");
    let body = json!({ "ply": 0, "move": "a1-a2/a1" }).to_string();
    let mut near = token.clone();
    near.replace_range(31.., if token.ends_with('0') { "1" } else { "0" });
    for wrong in [near.as_str(), &token[..31], &format!("{token}0"), "0", &"0".repeat(32)] {
        assert_eq!(table.post(&format!("/play/{wrong}/move"), &good, &body).status, 404, "{wrong}");
        assert_eq!(get(table.address, &format!("/play/{wrong}")).status, 404, "{wrong}");
        assert_eq!(get(table.address, &format!("/play/{wrong}/events")).status, 404, "{wrong}");
    }
    let port = table.address.port();
    let origins = [
        String::new(),
        "origin: null\r\n".to_owned(),
        "origin: http://evil.example\r\n".to_owned(),
        format!("origin: https://{}\r\n", table.address),
        format!("origin: http://127.0.0.1:{}\r\n", port ^ 1),
        format!("origin: http://localhost:{port}\r\n"),
        format!("{ours}origin: http://evil.example\r\n"),
    ];
    for origin in origins {
        assert_eq!(table.post(&path, &format!("{origin}{json}"), &body).status, 403, "{origin}");
        for site in ["cross-site", "same-site", "none"] {
            assert_eq!(table.post(&path, &format!("{origin}sec-fetch-site: {site}\r\n{json}"), &body).status, 403);
        }
    }
    for kind in ["", "content-type: text/plain\r\n", "content-type: application/x-www-form-urlencoded\r\n"] {
        assert_eq!(table.post(&path, &format!("{ours}{kind}"), &body).status, 415, "{kind}");
    }
    let long = json!({ "ply": 0, "move": "a".repeat(1024) }).to_string();
    assert_eq!(table.post(&path, &good, &long).status, 413);
    let chunked = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\n{good}transfer-encoding: chunked\r\nconnection: close\r\n\r\n0\r\n\r\n",
        table.address
    );
    assert_eq!(raw(table.address, &chunked).status, 411);
    for body in ["", "{", "[]", "{\"move\":\"a1-a2/a1\"}", "{\"ply\":-1}", "{\"ply\":0,\"more\":1}"] {
        assert_eq!(table.post(&path, &good, body).status, 400, "{body}");
    }
    for other in ["win", "move/x", "resign/"] {
        assert_eq!(table.post(&format!("/play/{token}/{other}"), &good, "{\"ply\":0}").status, 404, "{other}");
    }
    assert_eq!(table.post("/api/games", &good, &body).status, 405);
    assert_eq!(table.post(&format!("/play/{token}/events"), &good, &body).status, 405);
    assert_eq!(get(table.address, &path).status, 405);
    let page = get(table.address, &format!("/play/{token}"));
    assert!(page.text().contains("data-game=\"live\" data-player=\"1\""), "{page:?}");
    for other in ["/", "/api/games", "/game/live", "/api/games/live"] {
        assert!(!get(table.address, other).text().contains(token), "{other} tells nobody");
    }
    assert_eq!(table.post(&path, &good, &body).status, 200, "nothing has happened so far");
    table.turns(1).at(1);
    assert_eq!(table.wish(1, "resign", &json!({ "ply": 1 })).status, 200);
    assert_eq!(table.end().moves, 1);
}

#[test]
fn two_people_play_take_back_and_resign() {
    let table = WebSession::of(&["--position", START, "web", "web"]);
    let mut seen = Events::open(table.address, "/api/games/live/events", "");
    let (mut one, mut two) = (table.turns(0), table.turns(1));
    let first = one.at(0);
    let expected = json!({ "ply": 0, "turn": 1, "can_take_back": false, "limit_ms": null, "left_ms": null, "over": false, "rematch": false });
    assert_eq!(first, expected);
    let said = |player: usize, what: &str, body: Value| {
        let reply = table.wish(player, what, &body);
        (reply.status, reply.text().trim_end().to_owned())
    };
    let mv = |ply: u32, text: &str| json!({ "ply": ply, "move": text });
    let at = |ply: u32| json!({ "ply": ply });
    assert_eq!(said(1, "move", mv(0, "e4-e5/e4")), (409, "it is not your turn".to_owned()));
    assert_eq!(said(0, "move", mv(1, "a1-a2/a1")), (409, "the game has moved on".to_owned()));
    let illegal = said(0, "move", mv(0, "a1-b3/a1"));
    assert!(illegal.0 == 422 && illegal.1.starts_with("not legal: "), "{illegal:?}");
    let nonsense = said(0, "move", mv(0, "castle"));
    assert!(nonsense.0 == 422 && nonsense.1.starts_with("not legal: column "), "{nonsense:?}");
    let nothing = "you have no move to take back".to_owned();
    assert_eq!(said(0, "take_back", at(0)), (422, nothing.clone()));
    assert_eq!(said(0, "move", mv(0, " A1-a2/a1 ")).0, 200, "asked again, and as people type");
    assert_eq!(two.at(1)["can_take_back"], false);
    assert_eq!(said(1, "take_back", at(1)), (422, nothing));
    assert_eq!(said(1, "move", mv(1, "e4-e5/e4")).0, 200);
    assert_eq!(one.at(2)["can_take_back"], true);
    assert_eq!(said(0, "take_back", at(2)).0, 200);
    assert_eq!(one.at(0)["can_take_back"], false);
    assert_eq!(said(0, "move", mv(0, "a1-b1/a1")).0, 200);
    two.at(1);
    assert_eq!(said(1, "resign", at(0)).0, 409);
    assert_eq!(said(1, "resign", at(1)).0, 200);
    two.until(|turn| turn["over"] == true);
    assert_eq!(said(1, "resign", at(1)).0, 409);
    let mut told = Vec::new();
    while let Some(line) = seen.line() {
        let line = line.json();
        told.push(line["text"].as_str().unwrap_or(line["event"].as_str().expect("an event")).to_owned());
    }
    assert_eq!(told, ["start", "a1-a2/a1", "e4-e5/e4", "take_back", "a1-b1/a1", "end"]);
    let outcome = table.end();
    assert_eq!((outcome.termination, outcome.winner), (Termination::Resign, Some(PlayerNumber::One)));
    assert!(outcome.at_fault.is_empty());
}

/// The page has one stream, and a request that is sent again because its answer was lost counts once.
#[test]
fn a_move_that_is_sent_again_counts_once() {
    let table = WebSession::of(&["--position", START, "web", "web"]);
    let mut seat = table.turns(0);
    let until = |seat: &mut Turns, ply: u64| seat.at(ply)["turn"].clone();
    let first = until(&mut seat, 0);
    let mv = |turn: &Value, ply: u32, text: &str| json!({ "ply": ply, "turn": turn, "move": text });
    let said = |player: usize, what: &str, body: &Value| table.wish(player, what, body).status;
    let sent = mv(&first, 0, "a1-a2/a1");
    assert_eq!([said(0, "move", &sent), said(0, "move", &sent)], [200, 200]);
    assert_eq!(said(0, "move", &mv(&first, 0, "a1-b1/a1")), 409, "another move is another request");
    assert_eq!(said(0, "resign", &json!({ "ply": 0, "turn": first })), 409);
    let mut other = table.turns(1);
    let answer = mv(&until(&mut other, 1), 1, "e4-e5/e4");
    assert_eq!(said(1, "move", &answer), 200);
    let third = until(&mut seat, 2);
    assert_eq!([said(0, "move", &sent), said(1, "move", &answer)], [200, 200], "however late");
    assert_eq!(said(0, "take_back", &json!({ "ply": 2, "turn": third })), 200);
    let again = until(&mut seat, 0);
    assert_ne!(again, first);
    // The first request for this ply, on its way for long, is not an answer to the new question.
    assert_eq!(said(0, "move", &sent), 409);
    assert_eq!(said(0, "move", &mv(&again, 0, "a1-b1/a1")), 200);
    until(&mut other, 1);
    let mut resumed = Events::open(table.address, &format!("/play/{}/events?after=2", table.tokens[0]), "");
    assert_eq!(resumed.line().expect("a line").id, Some(3));
    assert_eq!(said(1, "resign", &json!({ "ply": 1 })), 200);
    assert_eq!(table.end().moves, 1);
    let told: Vec<Sent> = std::iter::from_fn(|| resumed.next()).collect();
    assert!(told.iter().any(|sent| sent.name == "turn" && sent.json()["over"] == true), "{told:?}");
    assert!(told.iter().any(|sent| sent.name.is_empty() && sent.json()["event"] == "end"), "{told:?}");
}

#[test]
fn a_hint_is_a_legal_move_and_one_is_made_at_a_time() {
    let table = WebSession::of(&["--position", START, "web", "web"]);
    table.turns(0).at(0);
    assert_eq!(table.wish(1, "hint", &json!({ "ply": 0 })).status, 409);
    let record = get(table.address, "/api/games/live/record");
    assert_eq!(record.header("content-disposition"), Some("attachment; filename=\"human-human-live.jsonl\""));
    let barrier = Barrier::new(2);
    let mut replies = thread::scope(|scope| {
        let ask = || {
            barrier.wait();
            table.wish(0, "hint", &json!({ "ply": 0 }))
        };
        [scope.spawn(ask), scope.spawn(ask)].map(|asking| asking.join().expect("an answer"))
    });
    replies.sort_by_key(|reply| reply.status);
    assert_eq!(replies.each_ref().map(|reply| reply.status), [200, 429]);
    let hints = replies[0].json();
    let position = Position::parse(START).expect("a position");
    let hints = hints["hints"].as_array().expect("hints");
    assert!(!hints.is_empty());
    for hint in hints {
        let mv = position.board().parse_move(hint["text"].as_str().expect("text")).expect("a move");
        assert!(position.is_legal(mv).is_ok(), "{hint}");
        assert!(hint["win"].as_f64().is_some_and(|win| (0.0..=1.0).contains(&win)), "{hint}");
    }
    assert_eq!(table.wish(0, "resign", &json!({ "ply": 0 })).status, 200);
    table.end();
}

/// A person's time only starts when the page is opened; from then on it runs whether the page stays open or not.
#[test]
fn the_time_of_who_has_come_runs_out() {
    let table = WebSession::of(&["--position", START, "web:0.3", "web"]);
    let_pass(Duration::from_millis(400));
    assert!(!table.game.is_finished());
    let turn = table.turns(0).at(0);
    assert!(turn["limit_ms"] == 300 && turn["left_ms"].is_u64(), "{turn}");
    let outcome = table.end();
    assert_eq!((outcome.termination, outcome.winner), (Termination::Timeout, Some(PlayerNumber::Two)));
}

/// Without a limit the game waits for a person who has left, and continues on their return.
#[test]
fn the_game_waits_for_who_has_gone() {
    let table = WebSession::of(&["--position", START, "web", "web"]);
    drop(table.turns(0));
    let_pass(Duration::from_millis(100));
    assert_eq!(table.turns(0).at(0)["over"], false);
    assert_eq!(table.wish(0, "resign", &json!({ "ply": 0 })).status, 200);
    assert_eq!(table.end().termination, Termination::Resign);
}
