use std::sync::Arc;

use axum::response::sse::Event;
use tokio::sync::watch;

use super::play_seat::PlaySeat;
use crate::human::Turn;

/// A person's turns, as they change.
pub(super) struct Turns {
    place: Arc<PlaySeat>,
    changes: watch::Receiver<()>,
    seen: Option<Turn>,
}

impl Turns {
    /// Begins with the current turn, and notes that the person has come.
    pub(super) fn of(place: &Arc<PlaySeat>) -> Self {
        place.session.come();
        Self { place: Arc::clone(place), changes: place.session.subscribe(), seen: None }
    }

    /// Returns the turn if it has changed.
    pub(super) fn news(&mut self) -> Option<Event> {
        self.changes.mark_unchanged();
        let turn = self.place.session.turn();
        // The page itself counts down the time.
        let is_known = self.seen.is_some_and(|seen| Turn { left_ms: turn.left_ms, ..seen } == turn);
        self.seen = Some(turn);
        (!is_known).then(|| Event::default().event("turn").data(serde_json::to_string(&turn).unwrap_or_default()))
    }

    pub(super) async fn changed(&mut self) {
        // The seat keeps the sender.
        let _ = self.changes.changed().await;
    }
}

impl Drop for Turns {
    fn drop(&mut self) {
        self.place.session.leave();
    }
}
