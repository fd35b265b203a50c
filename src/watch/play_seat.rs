use std::hint::black_box;
use std::io;
use std::sync::Arc;

use rand::TryRng;
use rand::rngs::SysRng;
use tokio::sync::Semaphore;

use crate::human::WebSession;
use crate::referee::{PlayerNumber, to_hex};

/// Bytes of a token: 2^128 possible values cannot be guessed.
const TOKEN: usize = 16;

/// A seat of a game played here, for the person with its token.
#[derive(Debug)]
pub struct PlaySeat {
    token: String,
    player: PlayerNumber,
    /// The session between the person and the game.
    pub(super) session: Arc<WebSession>,
    /// Allows one request for a hint at a time.
    pub(super) hints: Arc<Semaphore>,
}

impl PlaySeat {
    /// Makes a seat with its own token.
    pub fn new(player: PlayerNumber, session: Arc<WebSession>) -> io::Result<Self> {
        let mut token = [0; TOKEN];
        SysRng.try_fill_bytes(&mut token).map_err(io::Error::other)?;
        Ok(Self { token: to_hex(&token), player, session, hints: Arc::new(Semaphore::new(1)) })
    }

    /// Returns the token: 32 digits.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Returns the player of this seat.
    #[must_use]
    pub const fn player(&self) -> PlayerNumber {
        self.player
    }

    /// Returns whether this is the token, in constant time.
    pub(super) fn is_for(&self, token: &str) -> bool {
        let (ours, theirs) = (self.token.as_bytes(), token.as_bytes());
        let differences = ours.iter().zip(theirs).fold(0, |found, (a, b)| black_box(found | (a ^ b)));
        ours.len() == theirs.len() && differences == 0
    }
}
