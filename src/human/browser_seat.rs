use std::sync::Arc;
use std::time::Duration;

use amazons_rules::{Move, Position};

use super::cost::{at_once, too_late};
use super::{Said, WebSession};
use crate::referee::{Answer, CallError, PlayerRequest, Sandbox, Seat};

/// A person at a browser.
#[derive(Debug)]
pub struct BrowserSeat {
    table: Arc<WebSession>,
    position: Position,
    /// How many moves of its own can be taken back.
    moves: u32,
}

impl BrowserSeat {
    /// Seats whoever comes to this table.
    #[must_use]
    pub fn new(position: &Position, table: Arc<WebSession>) -> Self {
        Self { table, position: position.clone(), moves: 0 }
    }
}

impl Seat for BrowserSeat {
    fn load(&mut self) -> Result<(), CallError> {
        Ok(())
    }

    fn initialize(&mut self) -> Result<Answer<()>, CallError> {
        self.table.begin();
        Ok(at_once(()))
    }

    fn name(&mut self) -> Result<Answer<Option<Vec<u8>>>, CallError> {
        Ok(at_once(Some(b"human".to_vec())))
    }

    fn play(&mut self, previous: Option<Move>) -> Result<Answer<Move>, CallError> {
        if let Some(previous) = previous {
            self.position.play_unchecked(previous);
        }
        let limit = self.table.turn().limit;
        let Some((said, wall)) = self.table.ask(&self.position, self.moves > 0) else {
            return Err(too_late(format!("had not moved after {:?}", limit.unwrap_or_default())));
        };
        let value = match said {
            Said::Move(mv) => mv,
            Said::Resign => return Err(CallError::Request(PlayerRequest::Resign)),
            Said::TakeBack => return Err(CallError::Request(PlayerRequest::TakeBack)),
        };
        self.position.play_unchecked(value);
        self.moves += 1;
        let left = limit.map_or(Duration::ZERO, |limit| limit.saturating_sub(wall));
        Ok(Answer { value, wall, cpu: Duration::ZERO, idle_cpu: Duration::ZERO, left })
    }

    fn finalize(&mut self) -> Result<Answer<()>, CallError> {
        self.table.end();
        Ok(at_once(()))
    }

    fn take_back(&mut self, position: &Position) {
        self.position = position.clone();
        self.moves = self.moves.saturating_sub(1);
    }

    fn sandbox(&self) -> Option<Sandbox> {
        None
    }

    fn log(&self) -> Vec<u8> {
        Vec::new()
    }
}
