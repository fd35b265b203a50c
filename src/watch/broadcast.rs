use std::io;
use std::sync::Arc;

use amazons_pages::Access;
use amazons_rules::Position;

use super::game::WatchedGame;
use super::redact::shown;
use crate::referee::{Event, Observer};

/// Sends the events of a running game to its spectators without waiting for them.
#[derive(Debug)]
pub struct Broadcast {
    game: Arc<WatchedGame>,
    access: Access,
}

impl Broadcast {
    /// Appends to this game, leaving out what its access hides.
    pub const fn new(game: Arc<WatchedGame>, access: Access) -> Self {
        Self { game, access }
    }
}

impl Observer for Broadcast {
    fn observe(&mut self, event: &Event, _: &Position) -> io::Result<()> {
        // If an event cannot be written, the record's writer also fails and reports it; spectators miss a line.
        if let Ok(line) = serde_json::to_vec(event) {
            self.game.append([shown(self.access, line)]);
        }
        Ok(())
    }

    fn take_back(&mut self, moves: u32, _: &Position) -> io::Result<()> {
        self.game.append([format!("{{\"event\":\"take_back\",\"moves\":{moves}}}").into_bytes()]);
        Ok(())
    }
}

impl Drop for Broadcast {
    fn drop(&mut self) {
        self.game.close();
    }
}
