use std::path::Path;
use std::sync::Arc;

use amazons_rules::{Board, Directions, Position, Shape};

use crate::participant::Participant;
use crate::record::{Record, ReplayError};
use crate::referee::{BoardEvent, PlayerEvent, QueensEvent};

impl Record {
    pub fn starting_position(&self) -> Result<Position, ReplayError> {
        let board = &self.start.board;
        let position = match board.shape {
            Some(code) if board.columns == board.rows => {
                let shape: Shape = code.to_string().parse()?;
                Position::parse_on(Arc::new(Board::new(shape, board.columns)?), &self.start.position)?
            }
            Some(_) => return Err(ReplayError::Start("a board with a shape has as many columns as rows")),
            None => {
                let rectangle = Board::rectangle(board.columns, board.rows)?;
                Position::parse_on(Arc::new(rectangle), &self.start.position)?
            }
        };
        self.check_source()?;
        self.check_directions()?;
        if BoardEvent::new(position.board()) != *board {
            return Err(ReplayError::Start("the shape or the holes are not those of the board"));
        }
        self.check_sides(&position)?;
        // A position has several spellings; the server writes only one.
        if position.to_string() != self.start.position {
            return Err(ReplayError::Start("the position is not spelled as the server spells it"));
        }
        Ok(position)
    }

    /// Checks the numberings of the players' edges.
    fn check_directions(&self) -> Result<(), ReplayError> {
        let players = &self.start.players;
        // A watched game that is not recorded has no hashes.
        let is_library = |player: &PlayerEvent| {
            let file = player.file.as_ref().map(Path::new);
            file.is_some_and(|file| Participant::parse(file).is_ok_and(|parsed| parsed.library().is_some()))
        };
        let is_played_here = self.start.source.is_none();
        if players.iter().any(|player| player.directions.is_some() != (is_played_here && is_library(player))) {
            return Err(ReplayError::Start("the directions of players are those of libraries that played here"));
        }
        let is_known = |name: &String| Directions::ALL.iter().any(|known| known.name() == name);
        if !players.iter().filter_map(|player| player.directions.as_ref()).all(is_known) {
            return Err(ReplayError::Start("the directions are not known"));
        }
        Ok(())
    }

    /// Checks that a game played here has everything that the server knows, and any other has a source.
    fn check_source(&self) -> Result<(), ReplayError> {
        let start = &self.start;
        let untold = "a game that was played here has a seed, limits, an isolation, and its players' files";
        match &start.source {
            Some(_) => Ok(()),
            None if start.seed.is_none() || start.limits.is_none() || start.isolation.is_none() => {
                Err(ReplayError::Start(untold))
            }
            None if start.players.iter().any(|player| player.file.is_none()) => Err(ReplayError::Start(untold)),
            None => Ok(()),
        }
    }

    fn check_sides(&self, position: &Position) -> Result<(), ReplayError> {
        let sorted = |queens: &QueensEvent| {
            let mut lists = [queens.black.clone(), queens.white.clone()];
            lists.iter_mut().for_each(|list| list.sort_unstable());
            lists
        };
        let queens = sorted(&QueensEvent::new(position));
        if sorted(&self.start.queens) != queens {
            return Err(ReplayError::Start("the queens are not those of the position"));
        }
        let [black, white] = queens.map(|list| list.len());
        // Only players require equal numbers of queens.
        if self.start.source.is_none() && (black != white || black == 0) {
            return Err(ReplayError::Start("both colours need equally many queens, at least one"));
        }
        let first = position.side_to_move();
        let colors = [(self.start.first, first), (self.start.first.opponent(), first.opposite())];
        if colors.into_iter().any(|(player, color)| self.start.players[player].color != color) {
            return Err(ReplayError::Start("the colours of the players do not follow from who is first"));
        }
        Ok(())
    }
}
