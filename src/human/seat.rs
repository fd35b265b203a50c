use std::sync::Arc;
use std::time::Duration;

use amazons_rules::{Move, Position};

use super::WebSession;
use super::prompt::Prompt;
use super::terminal::Terminal;
use crate::referee::{Answer, CallError, PlayerNumber, Seat};

/// A person, at the terminal or in a browser.
#[derive(Debug)]
pub struct HumanSeat {
    prompt: Box<dyn Prompt>,
    position: Position,
    /// How many of the person's moves can be taken back.
    moves: u32,
}

impl HumanSeat {
    /// Seats a person at the terminal, with an optional time per move.
    pub fn at_terminal(player: PlayerNumber, position: &Position, limit: Option<Duration>) -> Self {
        Self { prompt: Box::new(Terminal::new(player, limit)), position: position.clone(), moves: 0 }
    }

    /// Seats the person who joins this session.
    pub fn at_browser(position: &Position, session: Arc<WebSession>) -> Self {
        Self { prompt: Box::new(session), position: position.clone(), moves: 0 }
    }
}

impl Seat for HumanSeat {
    fn initialize(&mut self) -> Result<Answer<()>, CallError> {
        self.prompt.begin();
        Ok(Answer::free(()))
    }

    fn name(&mut self) -> Result<Answer<Option<Vec<u8>>>, CallError> {
        Ok(Answer::free(Some(b"human".to_vec())))
    }

    fn play(&mut self, previous: Option<Move>) -> Result<Answer<Move>, CallError> {
        if let Some(previous) = previous {
            self.position.play_unchecked(previous);
        }
        let answer = self.prompt.ask(&self.position, self.moves > 0)?;
        self.position.play_unchecked(answer.value);
        self.moves += 1;
        Ok(answer)
    }

    fn finalize(&mut self) -> Result<Answer<()>, CallError> {
        self.prompt.end();
        Ok(Answer::free(()))
    }

    fn take_back(&mut self, position: &Position) {
        self.position = position.clone();
        self.moves = self.moves.saturating_sub(1);
    }
}
