use std::hint::black_box;
use std::io;
use std::sync::Arc;

use rand::TryRng;
use rand::rngs::SysRng;
use tokio::sync::Semaphore;

use crate::human::WebSession;
use crate::referee::{PlayerNumber, to_hex};

/// Bytes of a token: nobody guesses one of 2^128.
const TOKEN: usize = 16;

/// A seat of a game that is played here, for whoever knows its token.
#[derive(Debug)]
pub struct PlaySeat {
    token: String,
    player: PlayerNumber,
    /// Where the person meets the game.
    pub(super) table: Arc<WebSession>,
    /// Who may ask for a hint: one request at a time.
    pub(super) hints: Arc<Semaphore>,
}

impl PlaySeat {
    /// Makes a place at a table, with a token of its own.
    ///
    /// # Errors
    /// When the system has no random numbers to give.
    pub fn new(player: PlayerNumber, table: Arc<WebSession>) -> io::Result<Self> {
        let mut token = [0; TOKEN];
        SysRng.try_fill_bytes(&mut token).map_err(io::Error::other)?;
        Ok(Self { token: to_hex(&token), player, table, hints: Arc::new(Semaphore::new(1)) })
    }

    /// Returns what the person must know: 32 digits.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Returns whose place it is.
    #[must_use]
    pub const fn player(&self) -> PlayerNumber {
        self.player
    }

    /// Returns whether this is the token, in a time that does not tell how much of it is right.
    pub(super) fn is_for(&self, token: &str) -> bool {
        let (ours, theirs) = (self.token.as_bytes(), token.as_bytes());
        let differences = ours.iter().zip(theirs).fold(0, |found, (a, b)| black_box(found | (a ^ b)));
        ours.len() == theirs.len() && differences == 0
    }
}
