use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use amazons_rules::{Color, Move, Position, Step};
use amazons_search::{Evaluator, Game as SearchGame, Outcome, Player};

use crate::Evaluation;
use crate::endgame::Endgame;
use crate::game::Game;
use crate::half_move::HalfMove;

/// A board for the searches of `amazons-search`: two plies per move, a queen's step and its arrow.
///
/// Black is First.
pub struct HalfMoves<G: Game> {
    game: Arc<G>,
    state: G::State,
    endgame: Option<Arc<Endgame>>,
    /// The half-moves allowed in some states, by the states' keys; all in other states.
    only: Option<Arc<HashMap<u64, Vec<HalfMove>>>>,
}

/// Bits of a cell in a packed half-move.
const CELL_BITS: u32 = 15;

impl<G: Game> HalfMoves<G> {
    /// Maximum number of vertex ids of a board: cells must fit into a packed half-move.
    pub const CELLS: usize = 1 << CELL_BITS;

    /// Takes a position on the game's board.
    #[must_use]
    pub fn new(game: Arc<G>, position: &Position) -> Self {
        let state = game.state(position);
        Self { game, state, endgame: None, only: None }
    }

    /// Lets counting moves prove outcomes before the end, if `endgame` is given.
    #[must_use]
    pub fn with_endgame(self, endgame: Option<Arc<Endgame>>) -> Self {
        Self { endgame, ..self }
    }

    /// Allows only these moves here; nothing is proven by counting, because that allows every move.
    pub(crate) fn with_only(self, moves: &[Move]) -> Self {
        let mut only: HashMap<u64, Vec<HalfMove>> = HashMap::new();
        let mut game = self.clone();
        for &mv in moves {
            let [step, shot] = game.halves(mv);
            let steps = only.entry(game.key()).or_default();
            if !steps.contains(&step) {
                steps.push(step);
            }
            game.play(step);
            only.entry(game.key()).or_default().push(shot);
            game.undo(step);
        }
        Self { endgame: None, only: Some(Arc::new(only)), ..self }
    }

    /// Returns the counter that proves outcomes.
    #[must_use]
    pub fn endgame(&self) -> Option<&Endgame> {
        self.endgame.as_deref()
    }

    /// Returns the board.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Returns the current state.
    #[must_use]
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// Splits a move into its halves.
    #[must_use]
    pub fn halves(&self, mv: Move) -> [HalfMove; 2] {
        self.game.halves(mv)
    }

    /// Joins the halves of a move.
    #[must_use]
    pub fn whole(&self, step: HalfMove, shot: HalfMove) -> Move {
        self.game.whole(step, shot)
    }

    /// Plays each move in turn until `visit` finds something.
    pub(crate) fn find_move<T>(&self, mut visit: impl FnMut(&Self, [HalfMove; 2]) -> Option<T>) -> Option<T> {
        let mut game = self.clone();
        let (mut steps, mut shots) = (Vec::new(), Vec::new());
        game.moves(&mut steps);
        for step in steps {
            game.play(step);
            game.moves(&mut shots);
            for &shot in &shots {
                game.play(shot);
                let found = visit(&game, [step, shot]);
                if found.is_some() {
                    return found;
                }
                game.undo(shot);
            }
            game.undo(step);
        }
        None
    }
}

impl<G: Game> HalfMoves<G> {
    /// The outcome that counting proves, where a step is due.
    fn counted(&self) -> Option<Outcome> {
        let winner = self.endgame()?.winner(&*self.game, &self.state)?;
        Some(Outcome::Win(player(winner)))
    }
}

impl<G: Game> Clone for HalfMoves<G> {
    fn clone(&self) -> Self {
        Self {
            game: Arc::clone(&self.game),
            state: self.state.clone(),
            endgame: self.endgame.clone(),
            only: self.only.clone(),
        }
    }
}

impl<G: Game> fmt::Debug for HalfMoves<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HalfMoves").finish_non_exhaustive()
    }
}

pub(crate) const fn player(color: Color) -> Player {
    match color {
        Color::Black => Player::First,
        Color::White => Player::Second,
    }
}

impl<G: Game> SearchGame for HalfMoves<G> {
    type Move = HalfMove;

    fn pack(mv: HalfMove) -> u32 {
        let kind = u32::from(mv.half == Step::Arrow);
        (kind << CELL_BITS | mv.from) << CELL_BITS | mv.to
    }

    fn unpack(packed: u32) -> HalfMove {
        let cell = |bits: u32| bits & ((1 << CELL_BITS) - 1);
        let half = if packed >> (2 * CELL_BITS) == 0 { Step::Queen } else { Step::Arrow };
        HalfMove { half, from: cell(packed >> CELL_BITS), to: cell(packed) }
    }

    fn turn(&self) -> Player {
        player(self.game.side_to_move(&self.state))
    }

    fn moves(&self, moves: &mut Vec<HalfMove>) {
        moves.clear();
        match self.only.as_ref().and_then(|only| only.get(&self.key())) {
            Some(allowed) => moves.extend(allowed),
            None => self.game.moves(&self.state, moves),
        }
    }

    fn play(&mut self, mv: HalfMove) {
        self.game.play(&mut self.state, mv);
    }

    fn undo(&mut self, mv: HalfMove) {
        self.game.undo(&mut self.state, mv);
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.game.due(&self.state) == Step::Arrow {
            return None;
        }
        if self.game.is_blocked(&self.state) {
            return Some(Outcome::Win(self.turn().opponent()));
        }
        self.counted()
    }

    fn key(&self) -> u64 {
        self.game.key(&self.state)
    }
}

/// Evaluates with the board's own evaluation.
#[derive(Clone, Debug, Default)]
pub struct NetworkEvaluator {
    evaluations: Vec<Option<Evaluation>>,
}

impl<G: Game> Evaluator<HalfMoves<G>> for NetworkEvaluator {
    fn evaluate(&mut self, game: &HalfMoves<G>) -> f32 {
        value(game.turn(), &game.game.evaluate(&game.state))
    }

    fn evaluate_moves(&mut self, game: &mut HalfMoves<G>, moves: &[HalfMove], values: &mut Vec<f32>) {
        self.evaluations.clear();
        game.game.evaluate_children(&game.state, moves, &mut self.evaluations);
        // All moves of a state are the same half.
        let is_arrow = game.game.due(&game.state) == Step::Arrow;
        let turn = if is_arrow { game.turn().opponent() } else { game.turn() };
        values.clear();
        for (evaluation, &mv) in self.evaluations.iter().zip(moves) {
            values.push(match evaluation {
                Some(evaluation) if is_arrow && evaluation.may_be_countable() => {
                    game.play(mv);
                    let counted = game.counted();
                    game.undo(mv);
                    counted.map_or_else(|| value(turn, evaluation), Outcome::value)
                }
                Some(evaluation) => value(turn, evaluation),
                None => Outcome::Win(turn.opponent()).value(),
            });
        }
    }
}

/// Converts an evaluation for the player to move into First's value.
fn value(turn: Player, evaluation: &Evaluation) -> f32 {
    turn.sign() * (2.0 * evaluation.value() - 1.0)
}
