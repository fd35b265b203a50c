use std::io;
use std::sync::Arc;

use amazons_pages::Token;
use tokio::sync::Semaphore;

use crate::human::WebSession;
use crate::referee::PlayerNumber;

/// A seat of a game played here, for the person with its token.
#[derive(Debug)]
pub struct PlaySeat {
    pub(super) token: Token,
    pub player: PlayerNumber,
    /// The session between the person and the game.
    pub(super) session: Arc<WebSession>,
    /// Allows one request for a hint at a time.
    pub(super) hints: Arc<Semaphore>,
}

impl PlaySeat {
    /// Makes a seat with its own token.
    pub fn new(player: PlayerNumber, session: Arc<WebSession>) -> io::Result<Self> {
        Ok(Self { token: Token::new()?, player, session, hints: Arc::new(Semaphore::new(1)) })
    }

    /// Returns the token: 32 digits.
    pub fn token(&self) -> &str {
        self.token.as_str()
    }
}
