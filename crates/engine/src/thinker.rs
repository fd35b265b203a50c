use std::sync::Arc;

use amazons_rules::{Board, Move, Position};
use amazons_search::{AlphaBeta, AlphaBetaConfig, Budget, Game as SearchGame, Mcts, MctsConfig, Proof, Searcher};

use crate::half_moves::{HalfMove, HalfMoves, Judge};
use crate::simd::Isa;
use crate::{AnyGame, Game, Table};

/// Chooses moves on one board; it keeps its tree from move to move.
pub trait Think: Send {
    /// Searches until the budget ends it; `None` when the side to move is blocked.
    fn think(&mut self, position: &Position, budget: &mut dyn Budget) -> Option<Thought>;
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The move to play.
    pub mv: Move,
    /// The value for the side to move: 1 for a certain win, -1 for a certain loss.
    pub value: f32,
    /// The outcome, when it is certain.
    pub proof: Option<Proof>,
    /// Visits of the tree in this search.
    pub nodes: u64,
    /// Half-moves of the longest line.
    pub depth: u32,
    /// The moves that follow if both play their best.
    pub principal_variation: Vec<Move>,
}

/// How a thinker searches.
#[derive(Clone, Debug)]
pub enum Method {
    /// The most promising line first, in a tree that is kept.
    BestFirst(MctsConfig),
    /// All lines, deeper and deeper.
    DepthFirst(AlphaBetaConfig),
}

/// Makes a thinker for a board.
#[must_use]
pub fn thinker(board: Arc<Board>, table: Arc<Table>, isa: Isa, method: &Method) -> Box<dyn Think> {
    // An evaluation takes from 0.2 us to a millisecond, and the clock should be looked at every millisecond or so.
    match AnyGame::new(board, table, isa) {
        AnyGame::Small(game) => think_on(game, method, 1024),
        AnyGame::Medium(game) => think_on(game, method, 128),
        AnyGame::Large(game) => think_on(game, method, 16),
        AnyGame::Graph(game) => think_on(game, method, 1),
    }
}

/// Makes a thinker for a game whose clock is to be looked at every so many evaluations.
fn think_on<G>(game: G, method: &Method, evaluations: u64) -> Box<dyn Think>
where
    G: Game<State: Send> + Send + Sync + 'static,
{
    match method.clone() {
        Method::BestFirst(config) => {
            let config = MctsConfig { effort_per_question: evaluations, ..config };
            Box::new(Thinker::new(game, Mcts::new(config, Judge::default())))
        }
        Method::DepthFirst(config) => {
            // Some nodes evaluate all of their moves.
            let config = AlphaBetaConfig { nodes_per_question: (evaluations / 32).max(1), ..config };
            Box::new(Thinker::new(game, AlphaBeta::new(config, Judge::default())))
        }
    }
}

/// A search that may keep what it knows when moves are played.
trait Follow<G: Game>: Searcher<HalfMoves<G>> + Send {
    fn follow(&mut self, moves: &[HalfMove]);
}

impl<G: Game<State: Send> + Send + Sync> Follow<G> for Mcts<HalfMoves<G>, Judge> {
    fn follow(&mut self, moves: &[HalfMove]) {
        self.advance(moves);
    }
}

impl<G: Game<State: Send> + Send + Sync> Follow<G> for AlphaBeta<HalfMoves<G>, Judge> {
    // Its table is good for any position.
    fn follow(&mut self, _: &[HalfMove]) {}
}

struct Thinker<G: Game, S> {
    game: Arc<G>,
    search: S,
    /// The position that the last move led to, and that move's halves.
    expected: Option<(HalfMoves<G>, [HalfMove; 2])>,
}

impl<G: Game, S: Follow<G>> Thinker<G, S> {
    fn new(game: G, search: S) -> Self {
        Self { game: Arc::new(game), search, expected: None }
    }

    /// Brings the search to a position that the opponent's move led to.
    fn follow(&mut self, root: &HalfMoves<G>) {
        let Some((mut game, halves)) = self.expected.take() else { return };
        if let Some(reply) = reply(&mut game, root.key()) {
            self.search.follow(&[&halves[..], &reply].concat());
        }
    }
}

/// The move that leads to the position with this key.
fn reply<G: Game>(game: &mut HalfMoves<G>, key: u64) -> Option<[HalfMove; 2]> {
    let (mut steps, mut shots) = (Vec::new(), Vec::new());
    game.moves(&mut steps);
    for step in steps {
        game.play(step);
        game.moves(&mut shots);
        for &shot in &shots {
            game.play(shot);
            let is_it = game.key() == key;
            game.undo(shot);
            if is_it {
                game.undo(step);
                return Some([step, shot]);
            }
        }
        game.undo(step);
    }
    None
}

impl<G: Game<State: Send> + Send + Sync, S: Follow<G>> Think for Thinker<G, S> {
    fn think(&mut self, position: &Position, budget: &mut dyn Budget) -> Option<Thought> {
        let mut root = HalfMoves::new(Arc::clone(&self.game), position);
        self.follow(&root);
        let report = self.search.search(&root, budget);
        let step = report.best?;
        let shot = match report.principal_variation.get(1) {
            Some(&shot) => shot,
            None => best_shot(&root, step),
        };
        let line = [&[step, shot], report.principal_variation.get(2..).unwrap_or_default()].concat();
        let whole = |halves: &[HalfMove]| root.whole(halves[0], halves[1]);
        let principal_variation: Vec<Move> = line.chunks_exact(2).map(whole).collect();
        let value = root.turn().sign() * report.value;
        root.play(step);
        root.play(shot);
        self.expected = Some((root, [step, shot]));
        Some(Thought {
            mv: principal_variation[0],
            value,
            proof: report.proof,
            nodes: report.nodes,
            depth: report.depth,
            principal_variation,
        })
    }
}

/// The arrow that the evaluation likes best, for a step that was not looked into.
fn best_shot<G: Game>(root: &HalfMoves<G>, step: HalfMove) -> HalfMove {
    let mut game = root.clone();
    game.play(step);
    let mut shots = Vec::new();
    game.moves(&mut shots);
    let worth = |shot: &HalfMove| {
        let mut after = game.clone();
        after.play(*shot);
        after.game().evaluate(after.state()).score
    };
    shots.into_iter().min_by_key(worth).expect("a queen that stepped can shoot back")
}
