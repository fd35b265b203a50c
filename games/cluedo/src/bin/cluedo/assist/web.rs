//! The helper in a browser: the page sends lines as a person types them, and shows what the session answers.

use std::sync::{Arc, Mutex, PoisonError};

use amazons_pages::{Pages, Refusal, Server, missing, object, read, text};
use amazons_program::Exit;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use super::session::{Session, WELCOME};
use crate::web::{self, Address, Key, aside, asset};

const PAGE: &str = include_str!("page/helper.html");
const SCRIPT: &str = include_str!("page/helper.js");

/// How many answers the page shows.
const MAX_SHOWN: usize = 200;

struct Helper {
    key: Key,
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
    let said = vec![(String::new(), WELCOME.to_owned())];
    let helper = Arc::new(Helper { key: Key::new()?, talk: Mutex::new(Talk { session, said }) });
    helper.key.serve(address, Arc::clone(&helper))
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
        self.key.player(path)
    }
}

async fn page(State(helper): State<Arc<Helper>>, Path(token): Path<String>) -> Result<Response, Refusal> {
    helper.key.check(&token)?;
    Ok(web::page("Cluedo: a helper at the table", &["page.js", "helper.js"], PAGE))
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
    helper.key.check(&token)?;
    let told = aside(move || {
        let mut talk = helper.talk.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = line {
            talk.take(line);
        }
        talk.state()
    });
    Ok(object(&told.await?))
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
