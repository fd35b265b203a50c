use std::sync::Mutex;
use std::time::{Duration, Instant};

use amazons_pages::Refusal;
use amazons_program::locked;
use axum::http::StatusCode;

/// How many wrong tokens are answered as such, and how long until another one is.
const GUESSES_MAX: f64 = 20.0;
const GUESS_EVERY: Duration = Duration::from_secs(3);

/// Counts wrong tokens. Right ones are let through however many wrong ones there were: nobody locks a team out.
pub(super) struct Guesses(Mutex<(f64, Instant)>);

impl Default for Guesses {
    fn default() -> Self {
        Self(Mutex::new((GUESSES_MAX, Instant::now())))
    }
}

impl Guesses {
    /// Returns the answer to a wrong token.
    pub(super) fn refused(&self, who: &str) -> Refusal {
        let mut state = locked(&self.0);
        let (left, seen) = *state;
        let left = GUESSES_MAX.min(left + seen.elapsed().as_secs_f64() / GUESS_EVERY.as_secs_f64());
        let is_allowed = left >= 1.0;
        *state = (if is_allowed { left - 1.0 } else { left }, Instant::now());
        match is_allowed {
            true => (StatusCode::UNAUTHORIZED, format!("no {who} has this token\n")),
            false => (StatusCode::TOO_MANY_REQUESTS, "too many wrong tokens: try again later\n".to_owned()),
        }
    }
}
