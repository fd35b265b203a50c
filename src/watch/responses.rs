use std::collections::BTreeMap;
use std::io;

use amazons_pages::Refusal;
use axum::http::StatusCode;

/// The answer to a request that was carried out.
pub(super) const DONE: BTreeMap<(), ()> = BTreeMap::new();

/// Returns why a game cannot be shown.
pub(super) fn unreadable(error: &io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::NotFound => (StatusCode::NOT_FOUND, "there is no such game\n".to_owned()),
        io::ErrorKind::OutOfMemory => {
            let reason = "too many games are being watched: try again later\n";
            (StatusCode::SERVICE_UNAVAILABLE, reason.to_owned())
        }
        _ => (StatusCode::INTERNAL_SERVER_ERROR, format!("the record cannot be read: {error}\n")),
    }
}
