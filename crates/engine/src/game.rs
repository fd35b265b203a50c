use std::sync::Arc;

use amazons_rules::{Board, Color, Move, Position, Step, Vertex};

use crate::half_move::{Cell, HalfMove};
use crate::{Evaluation, Features};

/// A board prepared for searches, with states that advance by half-moves.
///
/// A move is a step and then a shot. [`Game::play`] and [`Game::undo`] check nothing: only half-moves from
/// [`Game::moves`] keep a state valid.
pub trait Game {
    /// A state of the game.
    type State: Clone;

    /// Returns the board.
    fn board(&self) -> &Arc<Board>;
    /// Converts a position on the board.
    fn state(&self, position: &Position) -> Self::State;
    /// Converts a state back, each side's queens in ascending order; `None` while an arrow is due.
    fn position(&self, state: &Self::State) -> Option<Position>;
    /// Returns the vertex of a cell.
    fn vertex(&self, cell: Cell) -> Vertex;
    /// Returns the cell of a vertex.
    fn cell(&self, vertex: Vertex) -> Cell;

    /// Returns the player to move; while an arrow is due, the one who stepped.
    fn side_to_move(&self, state: &Self::State) -> Color;
    /// Returns the cell of the queen that must shoot, if an arrow is due.
    fn shooter(&self, state: &Self::State) -> Option<Cell>;
    /// Returns whether the player to move cannot step.
    fn is_blocked(&self, state: &Self::State) -> bool;
    /// Returns the half of a move that is due.
    fn due(&self, state: &Self::State) -> Step {
        if self.shooter(state).is_some() { Step::Arrow } else { Step::Queen }
    }
    /// Returns a number that is equal for equal states and almost never for others.
    fn key(&self, state: &Self::State) -> u64;

    /// Adds the half-moves that are due: the steps of the player to move (none when blocked), or the arrows of the
    /// queen that stepped (at least one).
    fn moves(&self, state: &Self::State, moves: &mut Vec<HalfMove>);
    /// Plays a half-move.
    fn play(&self, state: &mut Self::State, half: HalfMove);
    /// Takes back the last half-move.
    fn undo(&self, state: &mut Self::State, half: HalfMove);

    /// Evaluates a state.
    fn evaluate(&self, state: &Self::State) -> Evaluation;
    /// Adds the evaluation of the state after each half-move; `None` if the player to move is then blocked.
    fn evaluate_children(&self, state: &Self::State, halves: &[HalfMove], evaluations: &mut Vec<Option<Evaluation>>) {
        evaluations.extend(halves.iter().map(|&half| {
            let mut child = state.clone();
            self.play(&mut child, half);
            let is_blocked = self.due(&child) == Step::Queen && self.is_blocked(&child);
            (!is_blocked).then(|| self.evaluate(&child))
        }));
    }
    /// Counts the features that [`Game::evaluate`] weighs.
    fn features(&self, state: &Self::State) -> Features;
    /// Returns how many vertices only the player to move reaches, and only the opponent, if no vertex is in reach of
    /// both.
    fn decided(&self, state: &Self::State) -> Option<[u32; 2]>;
    /// Returns whether one side's lead in vertices that it alone reaches covers all that both reach; only then is
    /// counting moves worthwhile.
    fn is_countable(&self, state: &Self::State) -> bool;
    /// Returns the free cells.
    fn free_cells(&self, state: &Self::State) -> impl Iterator<Item = Cell>;
    /// Returns the cells of a side's queens.
    fn queen_cells(&self, state: &Self::State, color: Color) -> impl Iterator<Item = Cell>;

    /// Splits a move into its halves.
    fn halves(&self, mv: Move) -> [HalfMove; 2] {
        let [from, to, arrow] = [mv.from, mv.to, mv.arrow].map(|vertex| self.cell(vertex));
        [HalfMove { half: Step::Queen, from, to }, HalfMove { half: Step::Arrow, from: to, to: arrow }]
    }

    /// Joins the halves of a move.
    fn whole(&self, step: HalfMove, shot: HalfMove) -> Move {
        Move { from: self.vertex(step.from), to: self.vertex(step.to), arrow: self.vertex(shot.to) }
    }
}
