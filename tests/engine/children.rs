//! Children evaluated together against one at a time.

use std::sync::Arc;

use amazons_engine::{AnyGame, EvalTable, Game, HalfMoves, Isa, NetworkEvaluator, Weights};
use amazons_rules::{Board, Position, Shape, Step};
use amazons_search::{Evaluator, Game as _, Outcome};

use super::boards::{foreign, game};

/// Only passes on single evaluations.
#[derive(Debug)]
struct OneByOne(NetworkEvaluator);

impl<G: Game> Evaluator<HalfMoves<G>> for OneByOne {
    fn evaluate(&mut self, game: &HalfMoves<G>) -> f32 {
        self.0.evaluate(game)
    }
}

/// The number of children compared, and how many of them are lost or won.
type Compared = (usize, usize);

/// Every so many positions are compared, and every so many of their children are expanded.
type Steps = [usize; 2];

/// Compares the children of a position, and those of some of them, where an arrow is due.
fn compare<G: Game>(game: G, positions: &[Position], every: usize) -> Compared {
    let game = Arc::new(game);
    let mut compared = (0, 0);
    let mut add = |(children, over): Compared| compared = (compared.0 + children, compared.1 + over);
    for position in positions {
        let mut state = HalfMoves::new(Arc::clone(&game), position);
        let steps = compare_children(&mut state, &mut add);
        for step in steps.into_iter().step_by(every) {
            state.play(step);
            compare_children(&mut state, &mut add);
            state.undo(step);
        }
    }
    compared
}

fn compare_children<G: Game>(
    state: &mut HalfMoves<G>,
    add: &mut impl FnMut(Compared),
) -> Vec<amazons_engine::HalfMove> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let mut evaluations = Vec::new();
    state.game().evaluate_children(state.state(), &moves, &mut evaluations);
    assert_eq!(evaluations.len(), moves.len());
    let mut over = 0;
    for (&mv, evaluation) in moves.iter().zip(&evaluations) {
        let mut child = state.clone();
        child.play(mv);
        let (game, after) = (child.game(), child.state());
        let is_blocked = game.due(after) == Step::Queen && game.is_blocked(after);
        let alone = (!is_blocked).then(|| game.evaluate(after));
        assert_eq!(*evaluation, alone, "{mv:?} among {moves:?}");
        over += usize::from(is_blocked);
    }
    add((moves.len(), over));
    let (mut fast, mut slow) = (Vec::new(), Vec::new());
    let key = state.key();
    NetworkEvaluator::default().evaluate_moves(state, &moves, &mut fast);
    assert_eq!(state.key(), key, "the position is as it was");
    OneByOne(NetworkEvaluator::default()).evaluate_moves(state, &moves, &mut slow);
    assert_eq!(fast, slow);
    let mover_wins = Outcome::Win(state.turn()).value();
    let mut lost = fast.iter().zip(&evaluations).filter(|(_, evaluation)| evaluation.is_none());
    assert!(lost.all(|(&value, _)| value == mover_wins), "who cannot move has lost");
    moves
}

fn compare_board(board: Board, isa: Isa, [every, every_child]: Steps) -> Compared {
    let board = Arc::new(board);
    let mut positions = game(&board, 3);
    // The ends of games are where children are over.
    let end = positions.split_off(positions.len().saturating_sub(6));
    let positions: Vec<Position> = positions.into_iter().step_by(every).chain(end).collect();
    match AnyGame::new(board, Arc::new(EvalTable::new(Weights::standard())), isa) {
        AnyGame::Small(game) => compare(game, &positions, every_child),
        AnyGame::Medium(game) => compare(game, &positions, every_child),
        AnyGame::Large(game) => compare(game, &positions, every_child),
        AnyGame::Graph(game) => compare(game, &positions, every_child),
    }
}

#[test]
fn children_are_judged_together_as_alone() {
    let mut compared = (0, 0);
    let mut add = |(children, over): Compared| compared = (compared.0 + children, compared.1 + over);
    for isa in Isa::available() {
        for shape in Shape::ALL {
            for (m, steps) in
                [(5, [1, 7]), (8, [5, 11]), (9, [8, 17]), (10, [12, 29]), (16, [60, 101]), (18, [90, 101])]
            {
                add(compare_board(Board::new(shape, m).expect("legal size"), isa, steps));
            }
        }
    }
    add(compare_board(foreign(&Board::new(Shape::Donut, 9).expect("legal size"), 4), Isa::PORTABLE, [5, 11]));
    assert!(compared.0 > 9_000 && compared.1 > 30, "{compared:?}");
}
