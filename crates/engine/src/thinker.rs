use std::sync::Arc;

use amazons_rules::{Board, Move, Position};
use amazons_search::{
    AlphaBeta, AlphaBetaConfig, Avoided, Budget, Game as SearchGame, Line, Mcts, MctsConfig, Proof, Searcher,
};
use thiserror::Error;

use crate::half_move::HalfMove;
use crate::half_moves::{HalfMoves, NetworkEvaluator};
use crate::random_moves::RandomMoves;
use crate::simd::Isa;
use crate::think::{Arrows, Think, Thought, Variation};
use crate::{AnyGame, Endgame, Game, GraphGame, Table, race};

/// How a thinker searches.
#[derive(Clone, Debug)]
pub enum Method {
    /// The most promising line first, in a tree that is kept.
    BestFirst(MctsConfig),
    /// All lines, deeper and deeper.
    DepthFirst(AlphaBetaConfig),
}

/// What becomes of endgames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Endgames {
    /// Moves are counted where that tells who wins, in the search and for the choice of a move.
    #[default]
    Counted,
    /// They are searched to the end.
    Searched,
}

/// What can be chosen besides the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThinkerConfig {
    /// What becomes of endgames.
    pub endgames: Endgames,
    /// What is preferred among equals.
    pub arrows: Arrows,
}

/// How much less a clear arrow's value may be: one game in a hundred.
const EQUAL: f32 = 0.02;

/// The most vertices of a board without rows of bits whose moves are searched: on larger ones nobody could look at the
/// clock while the moves of one position are judged.
const GRAPH_MAX: usize = 1024;

/// The board has more vertices than half-moves can name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a board of {found} squares, holes included, is too large: at most {most}")]
pub struct TooLarge {
    /// What the board has.
    pub found: usize,
    /// What it may have.
    pub most: usize,
}

/// Makes a thinker for a board. On one with more than 64 rows or columns, and more
/// than 1,024 vertices, it judges moves drawn at random instead of searching.
///
/// # Errors
/// When the board is too large.
pub fn thinker(board: Arc<Board>, table: Arc<Table>, isa: Isa, method: &Method) -> Result<Box<dyn Think>, TooLarge> {
    thinker_with(board, table, isa, method, ThinkerConfig::default())
}

/// Makes a thinker that differs in what [`ThinkerConfig`] names.
///
/// # Errors
/// When the board is too large.
pub fn thinker_with(
    board: Arc<Board>,
    table: Arc<Table>,
    isa: Isa,
    method: &Method,
    config: ThinkerConfig,
) -> Result<Box<dyn Think>, TooLarge> {
    let (found, most) = (board.vertex_ids(), HalfMoves::<GraphGame>::CELLS);
    if found > most {
        return Err(TooLarge { found, most });
    }
    // An evaluation takes from 0.2 us to a millisecond, and thirty times as long without vector instructions. The clock
    // should be looked at every millisecond or so.
    Ok(match AnyGame::new(board, table, isa) {
        AnyGame::Small(game) => think_on(game, method, config, 256),
        AnyGame::Medium(game) => think_on(game, method, config, 32),
        AnyGame::Large(game) => think_on(game, method, config, 4),
        AnyGame::Graph(game) if game.board().vertex_count() > GRAPH_MAX => {
            Box::new(RandomMoves::new(game, config.arrows))
        }
        AnyGame::Graph(game) => think_on(game, method, config, 1),
    })
}

/// Makes a thinker for a game whose clock is to be looked at every so many evaluations.
fn think_on<G>(game: G, method: &Method, config: ThinkerConfig, evaluations: u64) -> Box<dyn Think>
where
    G: Game<State: Send> + Send + Sync + 'static,
{
    let ThinkerConfig { endgames, arrows } = config;
    match method.clone() {
        Method::BestFirst(config) => {
            let config = MctsConfig { effort_per_question: evaluations, ..config };
            let endgame = endgames.prepare(&game, config.threads);
            Box::new(Thinker::new(game, endgame, arrows, Mcts::new(config, NetworkEvaluator::default())))
        }
        Method::DepthFirst(config) => {
            // Some nodes evaluate all of their moves.
            let config = AlphaBetaConfig { nodes_per_question: (evaluations / 32).max(1), ..config };
            let endgame = endgames.prepare(&game, 1);
            Box::new(Thinker::new(game, endgame, arrows, AlphaBeta::new(config, NetworkEvaluator::default())))
        }
    }
}

impl Endgames {
    fn prepare<G: Game>(self, game: &G, threads: usize) -> Option<Arc<Endgame>> {
        match self {
            Self::Counted => Endgame::new(game, threads).map(Arc::new),
            Self::Searched => None,
        }
    }
}

/// A search that may keep what it knows when moves are played.
trait Follow<G: Game>: Searcher<HalfMoves<G>> + Send {
    fn follow(&mut self, moves: &[HalfMove]);

    /// The lines that differ in their first two half-moves.
    fn lines(&self, count: usize) -> Vec<Line<HalfMove>>;
}

impl<G: Game<State: Send> + Send + Sync> Follow<G> for Mcts<HalfMoves<G>, NetworkEvaluator> {
    fn follow(&mut self, moves: &[HalfMove]) {
        self.advance(moves);
    }

    fn lines(&self, count: usize) -> Vec<Line<HalfMove>> {
        Self::lines(self, 2, count)
    }
}

impl<G: Game<State: Send> + Send + Sync> Follow<G> for AlphaBeta<HalfMoves<G>, NetworkEvaluator> {
    // Its table is good for any position.
    fn follow(&mut self, _: &[HalfMove]) {}

    fn lines(&self, _: usize) -> Vec<Line<HalfMove>> {
        Vec::new()
    }
}

struct Thinker<G: Game, S> {
    game: Arc<G>,
    endgame: Option<Arc<Endgame>>,
    arrows: Arrows,
    search: S,
    last: Option<Last<G>>,
}

/// What was thought last.
struct Last<G: Game> {
    /// The position.
    root: HalfMoves<G>,
    /// The halves of the move chosen.
    halves: [HalfMove; 2],
    /// The choice as a line.
    choice: Variation,
    /// Whether the search's tree led to it; a race is counted.
    searched: bool,
}

impl<G: Game, S: Follow<G>> Thinker<G, S> {
    fn new(game: G, endgame: Option<Arc<Endgame>>, arrows: Arrows, search: S) -> Self {
        Self { game: Arc::new(game), endgame, arrows, search, last: None }
    }

    /// The position as a search takes it.
    fn root(&self, position: &Position) -> HalfMoves<G> {
        let root = HalfMoves::new(Arc::clone(&self.game), position);
        match &self.endgame {
            Some(endgame) => root.with_endgame(Arc::clone(endgame)),
            None => root,
        }
    }

    /// Brings the search to a position that the opponent's move led to, be it an answer to ours or one in its place.
    fn follow(&mut self, root: &HalfMoves<G>) {
        let Some(Last { root: mut game, halves, searched: true, .. }) = self.last.take() else { return };
        let played = if game.turn() == root.turn() { &halves[..] } else { &[] };
        played.iter().for_each(|&half| game.play(half));
        if let Some(reply) = reply(&mut game, root.key()) {
            self.search.follow(&[played, &reply].concat());
        }
    }

    /// Remembers the choice of a race's move.
    fn raced(&mut self, root: HalfMoves<G>, thought: Thought) -> Thought {
        let Thought { mv, value, proof, nodes, .. } = thought;
        let choice = Variation { moves: vec![mv], value, visits: nodes, proof };
        self.last = Some(Last { halves: root.halves(mv), root, choice, searched: false });
        thought
    }

    /// Puts whole moves together from halves; a step whose arrow was not looked into gets the one liked best.
    fn whole_line(root: &HalfMoves<G>, halves: &[HalfMove]) -> Vec<Move> {
        let shot = |step: HalfMove| halves.get(1).copied().unwrap_or_else(|| best_shot(root, step));
        let first = halves.first().map(|&step| root.whole(step, shot(step)));
        let others = halves.get(2..).unwrap_or_default().chunks_exact(2);
        first.into_iter().chain(others.map(|halves| root.whole(halves[0], halves[1]))).collect()
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
        let root = self.root(position);
        self.follow(&root);
        let is_avoided = |step, shot| position.shoots_back(root.whole(step, shot));
        let avoided = Avoided { is_avoided: &is_avoided, margin: EQUAL };
        let avoided = (self.arrows == Arrows::Clear).then_some(&avoided);
        if let Some(thought) = race::play(&root, budget, avoided) {
            return Some(self.raced(root, thought));
        }
        let report = self.search.search_avoiding(&root, budget, avoided);
        // The search sees the end of the game, or what counting finds at a second look.
        let principal_variation = Self::whole_line(&root, &report.principal_variation);
        let Some(&mv) = principal_variation.first() else {
            return race::play(&root, budget, avoided).map(|thought| self.raced(root, thought));
        };
        let value = root.turn().sign() * report.value;
        let visits = report.moves.first().map_or(0, |best| best.visits);
        let choice = Variation { moves: principal_variation.clone(), value, visits, proof: report.proof };
        self.last = Some(Last { halves: root.halves(mv), root, choice, searched: true });
        Some(Thought { mv, value, proof: report.proof, nodes: report.nodes, depth: report.depth, principal_variation })
    }

    fn lines(&self, count: usize) -> Vec<Variation> {
        let Some(Last { root, choice, searched, .. }) = &self.last else { return Vec::new() };
        if !searched {
            return vec![choice.clone()].into_iter().take(count).collect();
        }
        let variation = |line: Line<HalfMove>| {
            let before = if line.moves.len() > 1 { 2 } else { 1 };
            Variation {
                moves: Self::whole_line(root, &line.moves),
                value: root.turn().sign() * line.value,
                visits: line.visits,
                proof: line.proof.map(|proof| Proof { plies: proof.plies + before, ..proof }),
            }
        };
        let mut lines: Vec<Variation> = self.search.lines(count).into_iter().map(variation).collect();
        // What is chosen comes first, whatever the tree says.
        let at = lines.iter().position(|line| line.moves.first() == choice.moves.first());
        match at {
            Some(at) => lines[..=at].rotate_right(1),
            None => lines.insert(0, choice.clone()),
        }
        lines.truncate(count);
        lines
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
