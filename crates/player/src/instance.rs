//! One player in one game.

use std::ffi::{CStr, c_uint};
use std::sync::Arc;

use amazons_rules::{Board, Color, Move, Position, Vertex};

use crate::abi::{GraphT, MoveT, NUM_PLAYERS};
use crate::graph::{self, GraphError};
use crate::{GameInfo, Opinion, Player};

/// A player and its current position.
#[derive(Debug)]
pub(crate) struct Instance<P> {
    player: P,
    color: Color,
    position: Position,
    started: bool,
}

impl<P: Player> Instance<P> {
    /// Reads the arguments of `initialize` and creates the player. Fails when the graph or the queens make no sense.
    ///
    /// # Safety
    /// Every pointer is NULL, or points to as many values as the sizes next to it say.
    pub(crate) unsafe fn new(
        color: Color,
        graph: *const GraphT,
        num_queens: c_uint,
        queens: *const *mut c_uint,
    ) -> Result<Self, String> {
        // SAFETY: the caller guarantees the graph.
        let board = unsafe { graph::read_board(graph) }.map_err(unreadable)?;
        // SAFETY: the caller guarantees the queens.
        let queens = unsafe { graph::read_queens(queens, num_queens, board.vertex_ids()) };
        let position = set_up(board, queens.map_err(unreadable)?)?;
        Ok(Self {
            player: P::new(&GameInfo::from_env(Arc::clone(position.board()), color)),
            color,
            position,
            started: false,
        })
    }

    pub(crate) fn name(&self) -> &'static CStr {
        self.player.name()
    }

    pub(crate) fn opinion(&self) -> Option<Opinion> {
        self.player.opinion()
    }

    /// Plays the opponent's move, asks the player, plays its answer; `None` when the player resigns.
    /// Fails when either move is illegal here.
    pub(crate) fn play(&mut self, previous: MoveT) -> Result<Option<Move>, String> {
        let opening = !self.started && previous == MoveT::NONE;
        if !self.started {
            self.started = true;
            self.let_start(if opening { self.color } else { self.color.opposite() })?;
        }
        if !opening {
            let previous = Move { from: previous.queen_src, to: previous.queen_dst, arrow: previous.arrow_dst };
            self.position.try_play(previous).map_err(|why| format!("the previous move is not legal: {why}"))?;
        }
        let Some(answer) = self.player.play(&self.position) else {
            return Ok(None);
        };
        self.position.try_play(answer).map_err(|why| format!("the player's own move is not legal: {why}"))?;
        Ok(Some(answer))
    }

    /// Sets the colour that moves first; on some servers that is not id 0.
    fn let_start(&mut self, color: Color) -> Result<(), String> {
        if self.position.side_to_move() != color {
            let queens = Color::ALL.map(|color| self.position.queens(color).to_vec());
            let board = Arc::clone(self.position.board());
            self.position = Position::new(board, queens, &[], color).map_err(|why| why.to_string())?;
        }
        Ok(())
    }
}

/// Puts the queens on the board.
fn set_up(board: Board, mut queens: [Vec<Vertex>; NUM_PLAYERS]) -> Result<Position, String> {
    // A queen without edges never moves and never blocks.
    for own in &mut queens {
        own.retain(|&queen| board.is_vertex(queen));
    }
    Position::new(Arc::new(board), queens, &[], Color::Black).map_err(|why| format!("cannot place the queens: {why}"))
}

fn unreadable(why: GraphError) -> String {
    format!("cannot read the graph: {why}")
}
