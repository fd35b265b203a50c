use std::sync::Arc;

use amazons_rules::{Board, Color, Move, Position, Step, Vertex};

use crate::half_move::{Cell, HalfMove, Slide};
use crate::{Evaluation, Features};

/// A board made ready for a search, with states that move by half-moves.
///
/// A move is a step and then a shot. [`Game::step`] and [`Game::shoot`] alternate; [`Game::unshoot`] and [`Game::unstep`]
/// take back the last. None of them checks anything: what does not come from [`Game::steps`] and [`Game::arrows`]
/// makes a state meaningless.
pub trait Game {
    /// A state of the game.
    type State: Clone;

    /// Returns the board.
    fn board(&self) -> &Arc<Board>;
    /// Converts a position on the board.
    fn state(&self, position: &Position) -> Self::State;
    /// Converts a state back, each side's queens in ascending order; nothing while an arrow is due.
    fn position(&self, state: &Self::State) -> Option<Position>;
    /// Returns the vertex of a cell.
    fn vertex(&self, cell: Cell) -> Vertex;
    /// Returns the cell of a vertex.
    fn cell(&self, vertex: Vertex) -> Cell;

    /// Returns who is to move; while an arrow is due, the player who stepped.
    fn side_to_move(&self, state: &Self::State) -> Color;
    /// Returns the cell of the queen that must shoot, if an arrow is due.
    fn shooter(&self, state: &Self::State) -> Option<Cell>;
    /// Returns whether the player to move cannot step.
    fn is_blocked(&self, state: &Self::State) -> bool;
    /// Returns which half of a move is due.
    fn due(&self, state: &Self::State) -> Step;
    /// Returns a number that is the same for equal states and hardly ever for others.
    fn key(&self, state: &Self::State) -> u64;

    /// Adds the steps of the player to move; none when blocked.
    fn steps(&self, state: &Self::State, slides: &mut Vec<Slide>);
    /// Adds the arrows of the queen that stepped; there is at least one.
    fn arrows(&self, state: &Self::State, arrows: &mut Vec<Cell>);
    /// Steps.
    fn step(&self, state: &mut Self::State, slide: Slide);
    /// Takes back a step.
    fn unstep(&self, state: &mut Self::State, slide: Slide);
    /// Shoots and passes the turn.
    fn shoot(&self, state: &mut Self::State, arrow: Cell);
    /// Takes back the shot of the queen on `queen`.
    fn unshoot(&self, state: &mut Self::State, queen: Cell, arrow: Cell);

    /// Judges a state.
    fn evaluate(&self, state: &Self::State) -> Evaluation;
    /// Adds the judgement of the state after each half-move; nothing where the player to move is then blocked.
    fn evaluate_children(&self, state: &Self::State, halves: &[HalfMove], evaluations: &mut Vec<Option<Evaluation>>) {
        evaluations.extend(halves.iter().map(|&HalfMove { half, from, to }| {
            let mut child = state.clone();
            match half {
                Step::Queen => self.step(&mut child, Slide { from, to }),
                Step::Arrow => self.shoot(&mut child, to),
            }
            let is_blocked = self.due(&child) == Step::Queen && self.is_blocked(&child);
            (!is_blocked).then(|| self.evaluate(&child))
        }));
    }
    /// Counts what [`Game::evaluate`] weighs.
    fn features(&self, state: &Self::State) -> Features;
    /// Returns the numbers of vertices that only the player to move reaches, and only the opponent, when none is in reach of both.
    fn decided(&self, state: &Self::State) -> Option<[u32; 2]>;
    /// Returns whether one side's lead in vertices that it alone reaches makes up for all that both reach: only then is it worth
    /// while to count moves.
    fn is_countable(&self, state: &Self::State) -> bool;
    /// Returns the free cells.
    fn free_cells(&self, state: &Self::State) -> impl Iterator<Item = Cell>;
    /// Returns the cells of a side's queens.
    fn queen_cells(&self, state: &Self::State, color: Color) -> impl Iterator<Item = Cell>;

    /// Plays both halves of a move.
    fn play(&self, state: &mut Self::State, mv: Move) {
        self.step(state, Slide { from: self.cell(mv.from), to: self.cell(mv.to) });
        self.shoot(state, self.cell(mv.arrow));
    }

    /// Takes back both halves of a move.
    fn undo(&self, state: &mut Self::State, mv: Move) {
        let slide = Slide { from: self.cell(mv.from), to: self.cell(mv.to) };
        self.unshoot(state, slide.to, self.cell(mv.arrow));
        self.unstep(state, slide);
    }

    /// Puts a move together.
    fn to_move(&self, slide: Slide, arrow: Cell) -> Move {
        Move { from: self.vertex(slide.from), to: self.vertex(slide.to), arrow: self.vertex(arrow) }
    }
}
