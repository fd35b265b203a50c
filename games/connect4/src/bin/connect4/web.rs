use std::io::{self, Write};
use std::path::Path as FilePath;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use amazons_look::LOOK_CSS;
use amazons_pages::{
    Access, PAGE_JS, PLAY, Pages, Refusal, Server, ServerLimits, Token, listen, missing, object, read, split_play, text,
};
use amazons_program::{Exit, Interrupt, open_browser};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use clap::Args;
use connect4::perfect::{Solver, Stop};
use connect4::record::{Played, Record};
use connect4::{Chosen, ColumnScores, Level, LevelPlayer, Position};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::book::BookOption;
use crate::player::{Participant, no_room};
use crate::ranks::SOLVER_BYTES;
use crate::view::ending_word;
use crate::web_record::WebRecorder;

const PAGE: &str = include_str!("../../../assets/play.html");
const ASSETS: [(&str, &str, &str); 5] = [
    ("look.css", "text/css", LOOK_CSS),
    ("connect4.css", "text/css", include_str!("../../../assets/connect4.css")),
    ("page.js", "text/javascript", PAGE_JS),
    ("board.js", "text/javascript", include_str!("../../../assets/board.js")),
    ("play.js", "text/javascript", include_str!("../../../assets/play.js")),
];

#[derive(Args, Clone, Debug)]
pub(crate) struct AddressArgs {
    /// With the player web: the port of the page (default: any free one)
    #[arg(long, value_name = "PORT", allow_negative_numbers = true)]
    pub(crate) port: Option<u16>,
    /// With the player web: open the page in a browser
    #[arg(long)]
    pub(crate) open: bool,
    #[command(flatten)]
    pub(crate) book: BookOption,
}

const SEARCHES: usize = 4;

/// The page of one game, and the players behind it. The page keeps the moves: here is no game in progress.
struct Site {
    /// The game as it begins.
    game: Record,
    participants: [Participant; 2],
    token: Token,
    solver: Mutex<Solver>,
    recorder: Option<Mutex<WebRecorder>>,
    /// Limits the number of searches at a time; others wait.
    searches: Semaphore,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    moves: String,
    /// Distinguishes the games of all pages, for their records.
    #[serde(default)]
    game: u32,
}

pub(crate) fn run(
    game: Record,
    participants: [Participant; 2],
    record: Option<&FilePath>,
    address: &AddressArgs,
    out: &mut impl Write,
) -> Result<Exit, Exit> {
    let book = address.book.read(game.size)?;
    let solver = Solver::new(game.size, SOLVER_BYTES, 1).map_err(no_room)?.with_book(book);
    let solver = Mutex::new(solver);
    let recorder = record.map(|path| WebRecorder::begin(path, game.clone())).transpose()?;
    let port = address.port.unwrap_or(0);
    let listener = listen([127, 0, 0, 1].into(), port, Access::Local);
    let listener = listener.map_err(|error| Exit::Usage(format!("--port {port}: cannot listen there: {error}")))?;
    let failed = |error: io::Error| Exit::Failure(format!("cannot show the page: {error}"));
    let interrupt = Interrupt::catch_all().map_err(failed)?;
    let token = Token::new().map_err(failed)?;
    let path = format!("{}{}", PLAY.trim_start_matches('/'), token.as_str());
    let (recorder, searches) = (recorder.map(Mutex::new), Semaphore::new(SEARCHES));
    let site = Arc::new(Site { game, participants, token, solver, recorder, searches });
    let server = Server::start(listener, Arc::clone(&site), ServerLimits::default()).map_err(failed)?;
    let url = format!("{}{path}", server.url());
    writeln!(out, "play at {url} (Ctrl-C ends)")?;
    out.flush()?;
    if address.open {
        open_browser("connect4", url);
    }
    interrupt.wait();
    server.stop().map_err(failed)?;
    if let Some(recorder) = &site.recorder {
        recorder.lock().unwrap_or_else(PoisonError::into_inner).end()?;
    }
    Ok(Exit::Stopped)
}

impl Pages for Site {
    fn routes(self: Arc<Self>) -> Router {
        Router::new()
            .route("/assets/{name}", get(asset))
            .route("/play/{token}", get(page))
            .route("/play/{token}/{request}", post(act))
            .fallback(|| async { missing() })
            .with_state(self)
    }

    fn player<'a>(&self, path: &'a str) -> Option<(usize, &'a str)> {
        let (token, rest) = split_play(path)?;
        self.token.is(token).then_some((0, rest))
    }
}

async fn asset(Path(name): Path<String>) -> Response {
    match ASSETS.iter().find(|asset| asset.0 == name) {
        Some((_, kind, asset)) => text(kind, *asset),
        None => missing().into_response(),
    }
}

async fn page(State(site): State<Arc<Site>>, Path(token): Path<String>) -> Result<Response, Refusal> {
    if !site.token.is(&token) {
        return Err(missing());
    }
    let Record { head, size, .. } = &site.game;
    let [x, o] = head.names().map(|name| if name == "web" { "you" } else { name });
    let page = PAGE.replace("WIDTH", &size.width().to_string()).replace("HEIGHT", &size.height().to_string());
    Ok(text("text/html", page.replace("SIDE_X", x).replace("SIDE_O", o).replace("MOVES", &head.position)))
}

/// Answers a request: what the position is, what the other side plays, what the columns are worth.
async fn act(
    State(site): State<Arc<Site>>,
    Path((token, name)): Path<(String, String)>,
    body: Body,
) -> Result<Response, Refusal> {
    if !site.token.is(&token) {
        return Err(missing());
    }
    let request: Request = read(body, "{\"moves\": \"4453\"}").await?;
    let position = Position::from_moves(site.game.size, &request.moves);
    let position = position.map_err(|error| unprocessable(error.to_string()))?;
    let work: fn(&Site, Position, Request, &Stop<'_>) -> Result<Value, Refusal> = match name.as_str() {
        "position" => {
            site.record(&request, None)?;
            return Ok(object(&state(&position, &request.moves)));
        }
        "answer" => answer,
        "scores" => scores,
        _ => return Err(missing()),
    };
    let closed = |_| (StatusCode::SERVICE_UNAVAILABLE, "the game is over here\n".to_owned());
    let _place = site.searches.acquire().await.map_err(closed)?;
    // Dropped when the page no longer waits.
    let waits = Waits(Arc::default());
    let is_given_up = Arc::clone(&waits.0);
    let searching = Arc::clone(&site);
    let stop = move || is_given_up.load(Ordering::Relaxed);
    let done = spawn_blocking(move || work(&searching, position, request, &stop)).await;
    drop(waits);
    Ok(object(&done.map_err(|_| failed("the search failed"))??))
}

fn unprocessable(why: String) -> Refusal {
    (StatusCode::UNPROCESSABLE_ENTITY, why + "\n")
}

fn failed(why: &str) -> Refusal {
    (StatusCode::INTERNAL_SERVER_ERROR, format!("{why}\n"))
}

impl Site {
    /// Writes what has changed in a game, if games are recorded.
    fn record(&self, request: &Request, last: Option<Played>) -> Result<(), Refusal> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let mut recorder = recorder.lock().unwrap_or_else(PoisonError::into_inner);
        recorder.follow(request.game, &request.moves, last).map_err(|error| {
            let why = error.complaint().unwrap_or_default();
            eprintln!("connect4: {why}");
            failed(why)
        })
    }
}

/// A page that waits for an answer.
struct Waits(Arc<AtomicBool>);

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn state(position: &Position, moves: &str) -> Value {
    let ending = position.ending().map(ending_word);
    let fours = ending.map_or_else(Vec::new, |_| position.fours());
    json!({ "moves": moves, "ending": ending, "fours": fours, "free": position.columns().collect::<Vec<_>>() })
}

/// Lets the level of the side to move play.
fn answer(site: &Site, mut position: Position, mut request: Request, stop: &Stop<'_>) -> Result<Value, Refusal> {
    let begun = Instant::now();
    let Participant::Level(level) = site.participants[site.game.head.seat(position.turn())] else {
        return Err(unprocessable("it is the person's turn".to_owned()));
    };
    let chosen = if level == Level::Perfect {
        let mut solver = site.solver.lock().unwrap_or_else(PoisonError::into_inner);
        Chosen::perfect(&mut solver, &position, stop)
    } else {
        let seed = site.game.head.seed.wrapping_add(u64::from(position.plies()));
        let player = LevelPlayer::new(level, position.size(), seed);
        player.map_err(|error| unprocessable(error.to_string()))?.choose_unless(&position, stop)
    };
    let chosen = chosen.filter(|_| !stop()).ok_or_else(|| unprocessable("the game is over".to_owned()))?;
    position.play_free(chosen.column);
    let name = position.size().column_name(chosen.column);
    request.moves.push(name);
    site.record(&request, Some(Played::by_level(name, &chosen, begun.elapsed())))?;
    let mut value = state(&position, &request.moves);
    value["column"] = chosen.column.into();
    Ok(value)
}

fn scores(site: &Site, position: Position, _: Request, stop: &Stop<'_>) -> Result<Value, Refusal> {
    let mut solver = site.solver.lock().unwrap_or_else(PoisonError::into_inner);
    let scores = ColumnScores::compute(&mut solver, &position, stop);
    let scores = scores.ok_or_else(|| unprocessable("nobody waits for it".to_owned()))?;
    Ok(json!({ "scores": scores, "best": scores.best() }))
}
