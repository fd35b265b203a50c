use amazons_pages::{Refusal, object};
use amazons_rules::Shape;
use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;
use ts_rs::TS;

use crate::game::{BoardArgs, ConfigError, starting_position};
use crate::referee::BoardEvent;

/// Maximum size of a board for which a page may ask.
const MAX_SIZE: u32 = 100;

/// A position, as on the command line: a shape's start, a text on a shape, or a text on its own rectangle.
#[derive(Deserialize)]
pub(super) struct PositionQuery {
    position: Option<String>,
    shape: Option<String>,
    size: Option<u32>,
}

/// A position, and its board.
#[derive(Debug, Serialize, TS)]
pub(crate) struct PositionView {
    board: BoardEvent,
    position: String,
}

/// Returns the position and its board, or why there is no such position.
pub(super) async fn position(Query(query): Query<PositionQuery>) -> Result<Response, Refusal> {
    let refused = |reason: String| (StatusCode::UNPROCESSABLE_ENTITY, format!("{reason}\n"));
    let shape =
        query.shape.map(|shape| shape.parse::<Shape>()).transpose().map_err(|error| refused(error.to_string()))?;
    if query.size.is_some_and(|size| size > MAX_SIZE) {
        return Err(refused(format!("size: expected a number up to {MAX_SIZE}")));
    }
    let args = BoardArgs { size: query.size, shape, position: query.position };
    let judged = spawn_blocking(move || {
        let position = starting_position(&args)?;
        Ok(PositionView { board: BoardEvent::new(position.board()), position: position.to_string() })
    });
    match judged.await {
        Ok(Ok(judged)) => Ok(object(&judged)),
        Ok(Err(ConfigError::Position(error))) => Err(refused(error.to_string())),
        Ok(Err(error)) => Err(refused(error.to_string().replacen("-m: ", "", 1))),
        Err(_) => Err((StatusCode::INTERNAL_SERVER_ERROR, "the position could not be read\n".to_owned())),
    }
}
