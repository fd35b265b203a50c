//! The helper in a browser: the page sends lines as a person types them, and shows what the session answers.

use std::sync::{Arc, Mutex, PoisonError};

use amazons_pages::{PLAY, Pages, Refusal, Server, Token, missing, object, read, split_play, text};
use amazons_program::Exit;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::session::Session;
use super::texts;
use crate::web::{Address, asset, failed};

const PAGE: &str = include_str!("page/helper.html");
const SCRIPT: &str = include_str!("page/helper.js");

/// How many answers the page shows.
const MAX_SHOWN: usize = 200;

struct Helper {
    token: Token,
    talk: Mutex<Talk>,
}

struct Talk {
    session: Session,
    /// Each line with its answer.
    said: Vec<(String, String)>,
}

#[derive(Deserialize)]
struct Request {
    line: String,
}

/// Shows the page of a session; returns its server and its address.
pub(super) fn serve(session: Session, address: Address) -> Result<(Server, String), Exit> {
    let token = Token::new().map_err(failed)?;
    let path = format!("{}{}", PLAY.trim_start_matches('/'), token.as_str());
    let said = vec![(String::new(), texts::WELCOME.to_owned())];
    let server = address.serve(Arc::new(Helper { token, talk: Mutex::new(Talk { session, said }) }))?;
    let url = format!("{}{path}", server.url());
    Ok((server, url))
}

impl Pages for Helper {
    fn routes(self: Arc<Self>) -> Router {
        Router::new()
            .route("/assets/helper.js", get(|| async { text("text/javascript", SCRIPT) }))
            .route("/assets/{name}", get(asset))
            .route("/play/{token}", get(page))
            .route("/play/{token}/state", get(state))
            .route("/play/{token}/line", post(line))
            .fallback(|| async { missing() })
            .with_state(self)
    }

    fn player<'a>(&self, path: &'a str) -> Option<(usize, &'a str)> {
        let (token, rest) = split_play(path)?;
        self.token.is(token).then_some((0, rest))
    }
}

async fn page(State(helper): State<Arc<Helper>>, Path(token): Path<String>) -> Result<Response, Refusal> {
    if helper.token.is(&token) { Ok(text("text/html", PAGE)) } else { Err(missing()) }
}

async fn state(State(helper): State<Arc<Helper>>, Path(token): Path<String>) -> Result<Response, Refusal> {
    answer(helper, token, None).await
}

async fn line(State(helper): State<Arc<Helper>>, Path(token): Path<String>, body: Body) -> Result<Response, Refusal> {
    let Request { line } = read(body, "{\"line\": \"anna has rope\"}").await?;
    answer(helper, token, Some(line)).await
}

/// Does what a line asks for, if there is one, and returns everything that the page shows.
async fn answer(helper: Arc<Helper>, token: String, line: Option<String>) -> Result<Response, Refusal> {
    if !helper.token.is(&token) {
        return Err(missing());
    }
    let told = spawn_blocking(move || {
        let mut talk = helper.talk.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = line {
            talk.take(line);
        }
        talk.state()
    });
    let failed = |_| (StatusCode::INTERNAL_SERVER_ERROR, "this failed\n".to_owned());
    Ok(object(&told.await.map_err(failed)?))
}

impl Talk {
    fn take(&mut self, line: String) {
        let answer = self.session.line(&line);
        self.said.push((line, answer.unwrap_or_else(|| "Ctrl-C at the terminal ends the helper.".to_owned())));
        if self.said.len() > MAX_SHOWN {
            self.said.remove(0);
        }
    }

    fn state(&self) -> Value {
        json!({ "said": self.said, "entries": self.session.entries(), "grid": self.session.grid() })
    }
}
