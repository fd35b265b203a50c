//! Responses shared by all pages.

use std::io;

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

/// An error response: its status and the reason.
pub(super) type Refusal = (StatusCode, String);

pub(super) fn missing() -> Refusal {
    (StatusCode::NOT_FOUND, "there is no such page\n".to_owned())
}

/// Returns why a game cannot be shown.
pub(super) fn unreadable(error: &io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::NotFound => (StatusCode::NOT_FOUND, "there is no such game\n".to_owned()),
        io::ErrorKind::OutOfMemory => {
            let reason = "so much is being watched that there is no room for this game\n";
            (StatusCode::SERVICE_UNAVAILABLE, reason.to_owned())
        }
        _ => (StatusCode::INTERNAL_SERVER_ERROR, format!("the record cannot be read: {error}\n")),
    }
}

pub(super) fn text(kind: &'static str, text: impl IntoResponse) -> Response {
    ([(CONTENT_TYPE, format!("{kind}; charset=utf-8"))], text).into_response()
}

pub(super) fn object(value: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], format!("{value}\n")).into_response()
}
