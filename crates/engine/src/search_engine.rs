use std::sync::Arc;

use amazons_rules::{Board, Move, Position};
use amazons_search::{
    AlphaBeta, AlphaBetaConfig, Avoided, Budget, Game as _, Mcts, MctsConfig, Progress, Proof, SearchLine, Searcher,
};
use thiserror::Error;

use crate::engine::{Arrows, Engine, SearchResult, Variation};
use crate::half_move::HalfMove;
use crate::half_moves::{HalfMoves, NetworkEvaluator};
use crate::level::{Effort, Level, Weakened};
use crate::random_moves::RandomMoves;
use crate::simd::Isa;
use crate::{AnyGame, Endgame, EvalTable, Game, GraphGame, race};

/// The search of an engine.
#[derive(Clone, Debug)]
pub enum Method {
    /// Best-first search, in a tree that is kept between moves.
    BestFirst(MctsConfig),
    /// Depth-first search, deeper and deeper.
    DepthFirst(AlphaBetaConfig),
}

/// How endgames are treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Endgames {
    /// Moves are counted where that decides the winner, in the search and when choosing a move.
    #[default]
    Counted,
    /// They are searched to the end.
    Searched,
}

/// An engine's settings.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// The search.
    pub method: Method,
    /// The treatment of endgames.
    pub endgames: Endgames,
    /// The preference among equal moves.
    pub arrows: Arrows,
    /// How many moves of a node best-first search judges at first, whatever the method says; `None` for
    /// [`EngineConfig::judged`].
    pub judge_first: Option<u32>,
    /// A strength below the full one.
    pub level: Option<Level>,
    /// The seed of the moves that a level draws.
    pub seed: u64,
}

impl EngineConfig {
    /// Counts endgames, takes any arrows and plays at full strength.
    #[must_use]
    pub fn new(method: Method) -> Self {
        let (endgames, arrows) = (Endgames::default(), Arrows::default());
        Self { method, endgames, arrows, judge_first: None, level: None, seed: 0 }
    }

    /// Returns how many moves of a node best-first search judges at first on a board of so many vertices: all where it has
    /// time for that.
    #[must_use]
    pub const fn judged(vertices: usize) -> u32 {
        if vertices > 256 { 8 } else { u32::MAX }
    }

    /// Returns the settings for the short searches of levels: the same on every machine, and those of the measurements.
    fn on_one_thread(&self) -> Self {
        let method = match self.method.clone() {
            Method::BestFirst(config) => Method::BestFirst(MctsConfig { threads: 1, expand_after: 2, ..config }),
            Method::DepthFirst(config) => Method::DepthFirst(AlphaBetaConfig { table_bytes: 1 << 20, ..config }),
        };
        Self { method, judge_first: Some(u32::MAX), ..self.clone() }
    }
}

/// The value to give up for a clear arrow: one game in a hundred.
const EQUAL: f32 = 0.02;

/// Maximum number of vertices to search on a board without bit rows: on larger ones the clock could not be checked
/// while the moves of one position are evaluated.
const GRAPH_MAX: usize = 1024;

/// The board has more vertices than half-moves can name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a board of {found} squares, holes included, is too large: at most {most}")]
pub struct TooLarge {
    /// The vertices of the board.
    pub found: usize,
    /// The largest number allowed.
    pub most: usize,
}

/// Makes an engine for a board. If the board has more than 64 rows or columns and more than 1,024 vertices, the engine
/// judges random moves instead of searching. With a level it plays that well, on one thread.
/// Fails when the board is too large.
pub fn engine(board: Arc<Board>, table: Arc<EvalTable>, config: EngineConfig) -> Result<Box<dyn Engine>, TooLarge> {
    let (found, most) = (board.vertex_ids(), HalfMoves::<GraphGame>::CELLS);
    if found > most {
        return Err(TooLarge { found, most });
    }
    Ok(match config.level {
        Some(level) => {
            let game = Arc::new(GraphGame::new(Arc::clone(&board), Arc::clone(&table)));
            let (drawn_from, seed, arrows) = (Arc::clone(&game), config.seed, config.arrows);
            let make = move |effort| match effort {
                Effort::Drawn(_) => Box::new(RandomMoves::new(Arc::clone(&drawn_from), arrows, seed)),
                Effort::Searched(_) => full(Arc::clone(&board), Arc::clone(&table), config.on_one_thread()),
            };
            Box::new(Weakened::new(level, seed, game, Box::new(make)))
        }
        None => full(board, table, config),
    })
}

/// Makes the engine at its full strength.
fn full(board: Arc<Board>, table: Arc<EvalTable>, config: EngineConfig) -> Box<dyn Engine> {
    // An evaluation takes from 0.1 us to a millisecond. The clock should be checked about every millisecond.
    match AnyGame::new(board, table, Isa::best()) {
        AnyGame::Small(game) => on_game(game, config, 256),
        AnyGame::Medium(game) => on_game(game, config, 32),
        AnyGame::Large(game) => on_game(game, config, 4),
        AnyGame::Graph(game) if game.board().vertex_count() > GRAPH_MAX => {
            Box::new(RandomMoves::new(Arc::new(game), config.arrows, config.seed))
        }
        AnyGame::Graph(game) => on_game(game, config, 1),
    }
}

/// Makes an engine for a game; it checks the budget after every `evaluations` evaluations.
fn on_game<G>(game: G, config: EngineConfig, evaluations: u32) -> Box<dyn Engine>
where
    G: Game<State: Send> + Send + Sync + 'static,
{
    let EngineConfig { method, endgames, arrows, judge_first, .. } = config;
    let judge_first = judge_first.unwrap_or_else(|| EngineConfig::judged(game.board().vertex_count()));
    let endgame = |threads| match endgames {
        Endgames::Counted => Endgame::new(&game, threads).map(Arc::new),
        Endgames::Searched => None,
    };
    match method {
        Method::BestFirst(config) => {
            let config = MctsConfig { effort_per_question: evaluations.into(), judge_first, ..config };
            let endgame = endgame(config.threads);
            let search = Mcts::new(config, NetworkEvaluator::default());
            Box::new(SearchEngine::new(game, endgame, arrows, search, evaluations))
        }
        Method::DepthFirst(config) => {
            // Some nodes evaluate all of their moves.
            let config = AlphaBetaConfig { nodes_per_question: (evaluations / 32).max(1).into(), ..config };
            let endgame = endgame(1);
            let search = AlphaBeta::new(config, NetworkEvaluator::default());
            Box::new(SearchEngine::new(game, endgame, arrows, search, evaluations))
        }
    }
}

struct SearchEngine<G: Game, S> {
    game: Arc<G>,
    endgame: Option<Arc<Endgame>>,
    arrows: Arrows,
    search: S,
    last: Option<Last<G>>,
    /// The moves to choose from; all if empty.
    only: Vec<Move>,
    /// How many evaluations are made between two checks of the budget.
    evaluations: u32,
}

/// The last choice.
struct Last<G: Game> {
    /// The position.
    root: HalfMoves<G>,
    /// The choice as a line.
    choice: Variation,
    /// Whether the choice comes from the search's tree rather than from counting.
    searched: bool,
}

impl<G: Game, S: Searcher<HalfMoves<G>>> SearchEngine<G, S> {
    fn new(game: G, endgame: Option<Arc<Endgame>>, arrows: Arrows, search: S, evaluations: u32) -> Self {
        Self { game: Arc::new(game), endgame, arrows, search, last: None, only: Vec::new(), evaluations }
    }

    /// Moves the search's root to this position, by our move or from scratch.
    fn follow(&mut self, root: &HalfMoves<G>, position: &Position) {
        let Some(Last { root: mut game, choice, searched: true }) = self.last.take() else { return };
        if game.key() == root.key() {
            return;
        }
        let mut played = Vec::new();
        if game.turn() == root.turn() {
            played.extend(game.halves(choice.moves[0]));
            played.iter().for_each(|&half| game.play(half));
        }
        let Some(mv) = self.game.position(game.state()).and_then(|before| before.move_to(position)) else { return };
        let reply = game.halves(mv);
        reply.iter().for_each(|&half| game.play(half));
        if game.key() == root.key() {
            played.extend(reply);
            self.search.advance(&played);
        }
    }

    /// Remembers the choice, and the visits of its move if a search made it.
    fn choose(&mut self, root: HalfMoves<G>, result: SearchResult, visits: Option<u64>) -> SearchResult {
        let SearchResult { value, proof, nodes, .. } = result;
        let moves = result.principal_variation.clone();
        let choice = Variation { moves, value, visits: visits.unwrap_or(nodes), proof };
        self.last = Some(Last { root, choice, searched: visits.is_some() });
        result
    }

    /// Joins half-moves into moves; a step whose arrow was not searched gets the best-evaluated arrow, of those that are
    /// evaluated before it `is_over`.
    fn whole_line(&self, root: &HalfMoves<G>, halves: &[HalfMove], is_over: &mut dyn FnMut() -> bool) -> Vec<Move> {
        let first = halves.first().map(|&step| {
            root.whole(step, halves.get(1).copied().unwrap_or_else(|| self.best_shot(root, step, is_over)))
        });
        let others = halves.get(2..).unwrap_or_default().chunks_exact(2);
        first.into_iter().chain(others.map(|halves| root.whole(halves[0], halves[1]))).collect()
    }

    /// The best-evaluated arrow for a step that was not searched.
    fn best_shot(&self, root: &HalfMoves<G>, step: HalfMove, is_over: &mut dyn FnMut() -> bool) -> HalfMove {
        let mut game = root.clone();
        game.play(step);
        let mut shots = Vec::new();
        game.moves(&mut shots);
        let worth = |shot: &HalfMove| {
            let mut after = game.clone();
            after.play(*shot);
            after.game().evaluate(after.state()).score
        };
        let (first, others) = shots.split_at(shots.len().min(self.evaluations as usize));
        let in_time = others.chunks(self.evaluations as usize).take_while(|_| !is_over()).flatten();
        *first.iter().chain(in_time).min_by_key(|shot| worth(shot)).expect("a queen that stepped can shoot back")
    }
}

impl<G, S> Engine for SearchEngine<G, S>
where
    G: Game<State: Send> + Send + Sync,
    S: Searcher<HalfMoves<G>> + Send,
{
    fn search(&mut self, position: &Position, budget: &mut dyn Budget) -> Option<SearchResult> {
        let mut root = HalfMoves::new(Arc::clone(&self.game), position).with_endgame(self.endgame.clone());
        if !self.only.is_empty() {
            root = root.with_only(&self.only);
        }
        self.follow(&root, position);
        let is_avoided = |step, shot| position.shoots_back(root.whole(step, shot));
        let avoided = Avoided { is_avoided: &is_avoided, margin: EQUAL };
        let avoided = (self.arrows == Arrows::Clear).then_some(&avoided);
        if let Some(result) = race::play(&root, budget, avoided) {
            return Some(self.choose(root, result, None));
        }
        let report = self.search.search_avoiding(&root, budget, avoided);
        // The search sees the end of the game, or what counting finds on a second try.
        let (nodes, depth) = (report.nodes, report.depth);
        // A limit of nodes is kept already.
        let only_time = Progress { nodes: 0, depth: 0, best: None, value: report.value, lead: 0 };
        let is_over = &mut || budget.exhausted(&only_time);
        let principal_variation = self.whole_line(&root, &report.principal_variation, is_over);
        let Some(&mv) = principal_variation.first() else {
            return race::play(&root, budget, avoided).map(|result| self.choose(root, result, None));
        };
        let value = root.turn().sign() * report.value;
        let proof = report.proof;
        let visits = report.moves.first().map_or(0, |best| best.visits);
        Some(self.choose(root, SearchResult { mv, value, proof, nodes, depth, principal_variation }, Some(visits)))
    }

    fn restrict(&mut self, moves: &[Move]) {
        if self.only != moves {
            self.only = moves.to_vec();
            self.last = None;
            self.search.clear();
        }
    }

    fn fullness(&self) -> Option<f32> {
        self.search.fullness()
    }

    fn lines(&self, count: usize) -> Vec<Variation> {
        let Some(Last { root, choice, searched, .. }) = &self.last else { return Vec::new() };
        let variation = |line: SearchLine<HalfMove>| {
            let before = if line.moves.len() > 1 { 2 } else { 1 };
            Variation {
                moves: self.whole_line(root, &line.moves, &mut || false),
                value: root.turn().sign() * line.value,
                visits: line.visits,
                proof: line.proof.map(|proof| Proof { plies: proof.plies + before, ..proof }),
            }
        };
        let found = if *searched { self.search.lines(2, count) } else { Vec::new() };
        let mut lines: Vec<Variation> = found.into_iter().map(variation).collect();
        // The choice comes first, whatever the tree says.
        match lines.iter().position(|line| line.moves.first() == choice.moves.first()) {
            Some(at) => lines[..=at].rotate_right(1),
            None => lines.insert(0, choice.clone()),
        }
        lines.truncate(count);
        lines
    }
}
