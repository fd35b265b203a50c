use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::guard::ACT_MAX;

/// The time limit for receiving a request's body.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// An error response: its status and the reason.
pub type Refusal = (StatusCode, String);

/// Returns the response for a path that does not exist.
pub fn missing() -> Refusal {
    (StatusCode::NOT_FOUND, "there is no such page\n".to_owned())
}

/// Returns text of a type such as `text/html`.
pub fn text(kind: &'static str, text: impl IntoResponse) -> Response {
    ([(CONTENT_TYPE, format!("{kind}; charset=utf-8"))], text).into_response()
}

/// Returns JSON.
pub fn object(value: &impl Serialize) -> Response {
    match serde_json::to_string(value) {
        Ok(text) => ([(CONTENT_TYPE, "application/json")], format!("{text}\n")).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}

/// Reads the JSON body of a request; the refusal of any other body shows what is expected.
pub async fn read<T: DeserializeOwned>(body: Body, expected: &str) -> Result<T, Refusal> {
    let body = timeout(BODY_TIMEOUT, to_bytes(body, ACT_MAX)).await;
    let body = body.map_err(|_| (StatusCode::REQUEST_TIMEOUT, "the body took too long to arrive\n".to_owned()))?;
    let request = body.ok().and_then(|body| serde_json::from_slice(&body).ok());
    request.ok_or_else(|| (StatusCode::BAD_REQUEST, format!("unknown request: expected {expected}\n")))
}
