//! Depth-first search with cutoffs.
//!
//! Principal variation search (A. Reinefeld, "An improvement to the Scout tree-search algorithm", ICCA Journal 6, 1983)
//! with iterative deepening and an aspiration window. Nothing is pruned or extended heuristically, so the value at a
//! fixed depth is that of plain minimax.

mod node;
mod order;
mod score;
mod table;

use crate::{Avoid, Budget, Evaluator, Game, Outcome, Player, Progress, Proof, RootMove, SearchReport, Searcher};
use node::{Ranked, Run, Window};
use order::Order;
use score::{INFINITE, Score};
use table::{COMPLETE, TranspositionTable};

/// Deeper lines end in an estimate; the table stores depths in a byte.
const MAX_PLY: u8 = COMPLETE - 1;

/// Half the width of the aspiration window, as a value.
const ASPIRATION: f32 = 0.05;

/// Settings of an [`AlphaBeta`].
#[derive(Clone, Debug, PartialEq)]
pub struct AlphaBetaConfig {
    /// Bytes of the transposition table (default 64 MiB); 0 leaves one bucket.
    pub table_bytes: usize,
    /// The minimum depth, in plies, at which [`Evaluator::evaluate_moves`] orders the moves (default 2); closer to the
    /// leaves, killers and history do.
    pub evaluator_order: u32,
    /// Nodes to visit between two checks of the budget (default 512, at least 1).
    pub nodes_per_question: u64,
}

impl Default for AlphaBetaConfig {
    fn default() -> Self {
        Self { table_bytes: 64 << 20, evaluator_order: 2, nodes_per_question: 512 }
    }
}

/// A depth-first searcher; it keeps its table and its ordering statistics between searches.
#[derive(Debug)]
pub struct AlphaBeta<G: Game, E> {
    config: AlphaBetaConfig,
    evaluator: E,
    table: TranspositionTable,
    order: Order,
    lines: Vec<Line>,
    moves: Vec<G::Move>,
    values: Vec<f32>,
}

/// Reused memory of one ply.
#[derive(Debug, Default)]
struct Line {
    moves: Vec<Ranked>,
    /// The best line from here.
    variation: Vec<u32>,
}

/// A root move: its nodes, and its score or a bound on it.
#[derive(Clone, Copy)]
struct Root {
    packed: u32,
    nodes: u64,
    score: Score,
}

/// The result of the last iteration that completed a move.
struct Found {
    score: Score,
    variation: Vec<u32>,
    /// Whether the score is exact and free of estimates.
    complete: bool,
}

impl<G: Game, E: Evaluator<G>> AlphaBeta<G, E> {
    /// Allocates the table.
    pub fn new(config: AlphaBetaConfig, evaluator: E) -> Self {
        let lines = (0..=COMPLETE).map(|_| Line::default()).collect();
        let table = TranspositionTable::new(config.table_bytes);
        Self { config, evaluator, table, order: Order::new(), lines, moves: Vec::new(), values: Vec::new() }
    }

    fn clear_line(&mut self, ply: u8) {
        self.lines[usize::from(ply)].variation.clear();
    }

    /// Makes `packed` the first move of the best line at `ply`, followed by the next ply's line unless `alone`.
    fn set_line(&mut self, ply: u8, packed: u32, alone: bool) {
        let (above, below) = self.lines.split_at_mut(usize::from(ply) + 1);
        let line = &mut above[usize::from(ply)].variation;
        line.clear();
        line.push(packed);
        if !alone {
            line.extend_from_slice(&below[0].variation);
        }
    }

    fn take_moves(&mut self, ply: u8) -> Vec<Ranked> {
        std::mem::take(&mut self.lines[usize::from(ply)].moves)
    }

    /// Searches every root move once to `depth`; stops midway when the budget ends.
    /// Returns a move better than `alpha`, if any; `roots` then has it in front.
    fn iterate(&mut self, run: &mut Run, game: &mut G, roots: &mut [Root], window: Window) -> Option<Found> {
        let mut found = None;
        let mut alpha = window.alpha;
        let guesses = run.guesses;
        for index in 0..roots.len() {
            let nodes = run.progress.nodes;
            run.first = roots[index].packed;
            let score = self.scout(run, game, roots[index].packed, Window { alpha, ..window }, index == 0);
            roots[index].nodes += run.progress.nodes - nodes;
            if run.stopped {
                break;
            }
            roots[index].score = score;
            if score > alpha {
                alpha = score;
                self.set_line(0, roots[index].packed, false);
                found = Some(Found { score, variation: self.lines[0].variation.clone(), complete: false });
                roots[..=index].rotate_right(1);
            }
            if score >= window.beta {
                break;
            }
        }
        let complete = !run.stopped && run.guesses == guesses && alpha < window.beta;
        // A loss is certain only once every move has been searched.
        let found = found.filter(|found| !run.stopped || found.score > -score::MAX_GUESS);
        found.map(|found| Found { complete, ..found })
    }

    /// Runs one iteration: opens the aspiration window around `last` until the score falls inside.
    fn deepen(
        &mut self,
        run: &mut Run,
        game: &mut G,
        roots: &mut [Root],
        depth: u8,
        last: Option<&Found>,
    ) -> Option<Found> {
        let mut width = score::from_guess(ASPIRATION, Player::First).max(1);
        let (mut alpha, mut beta) = match last {
            Some(found) if !score::is_decided(found.score) => (found.score - width, found.score + width),
            _ => (-INFINITE, INFINITE),
        };
        let mut best = None;
        loop {
            let found = self.iterate(run, game, roots, Window { alpha, beta, depth, ply: 0 });
            let failed_low = found.is_none();
            let failed_high = found.as_ref().is_some_and(|found| found.score >= beta);
            best = found.or(best);
            if run.stopped || !(failed_low || failed_high) {
                return best;
            }
            width = width.saturating_mul(4);
            let wide = width > score::WIN;
            if failed_low {
                alpha = if wide { -INFINITE } else { alpha - width };
            } else {
                beta = if wide { INFINITE } else { beta + width };
            }
        }
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for AlphaBeta<G, E> {
    fn clear(&mut self) {
        self.table = TranspositionTable::new(self.config.table_bytes);
        self.order = Order::new();
    }

    /// Deepens until the budget ends, a win or loss is found, or every line reaches the end of the game.
    /// If stopped midway through an iteration, returns the best move fully searched there, or the previous result. An
    /// avoided line's value is reported less the margin.
    fn search_avoiding(&mut self, game: &G, budget: &mut dyn Budget, avoided: Avoid<G::Move>) -> SearchReport<G::Move> {
        if let Some(outcome) = game.outcome() {
            return SearchReport::over(outcome);
        }
        self.table.age();
        self.order.age();
        let mut game = game.clone();
        let turn = game.turn();
        let mut ranked = Vec::new();
        let widest = Window { alpha: -INFINITE, beta: INFINITE, depth: COMPLETE, ply: 0 };
        let hint = self.table.get(game.key()).map(|entry| entry.mv);
        let (max_nodes, max_depth) = (budget.max_nodes(), budget.max_depth());
        let progress = Progress { nodes: 0, depth: 0, best: None, value: 0.0, lead: 0 };
        let nodes_per_question = self.config.nodes_per_question.max(1);
        let cost = |first, second| match avoided {
            Some(avoided) if (avoided.is_avoided)(G::unpack(first), G::unpack(second)) => {
                score::from_guess(avoided.margin, Player::First)
            }
            _ => 0,
        };
        let mut run =
            Run { budget, max_nodes, nodes_per_question, progress, stopped: false, guesses: 0, first: 0, cost: &cost };
        self.rank(&mut run, &mut game, &mut ranked, widest, hint);
        let mut roots: Vec<Root> =
            ranked.iter().map(|&(_, packed)| Root { packed, nodes: 0, score: -INFINITE }).collect();
        run.progress.best = Some(roots[0].packed);
        let mut best: Option<Found> = None;
        for depth in 1..=MAX_PLY {
            if run.stopped || u32::from(depth) > max_depth {
                break;
            }
            if let Some(found) = self.deepen(&mut run, &mut game, &mut roots, depth, best.as_ref()) {
                run.progress.best = found.variation.first().copied();
                run.progress.value = score::value(found.score, turn);
                best = Some(found);
            }
            if run.stopped {
                break;
            }
            run.progress.depth = u32::from(depth);
            let done = best.as_ref().is_some_and(|found| found.complete || score::is_decided(found.score));
            if done || run.budget.exhausted(&run.progress) {
                break;
            }
        }
        report::<G>(&run.progress, &roots, best, turn)
    }
}

fn report<G: Game>(progress: &Progress, roots: &[Root], best: Option<Found>, turn: Player) -> SearchReport<G::Move> {
    let proof = best.as_ref().and_then(|found| {
        let draw = Proof { outcome: Outcome::Draw, plies: progress.depth };
        score::proof(found.score, turn).or(found.complete.then_some(draw).filter(|_| found.score == 0))
    });
    let variation = best.map_or_else(|| vec![roots[0].packed], |found| found.variation);
    let mut moves: Vec<RootMove<G::Move>> = roots
        .iter()
        .map(|root| RootMove {
            mv: G::unpack(root.packed),
            visits: root.nodes,
            value: score::value(root.score.max(-score::WIN), turn),
            proof: None,
        })
        .collect();
    if let (Some(first), Some(proof)) = (moves.first_mut(), proof) {
        first.proof = Some(Proof { plies: proof.plies.saturating_sub(1), ..proof });
    }
    SearchReport {
        best: variation.first().map(|&packed| G::unpack(packed)),
        value: progress.value,
        principal_variation: variation.into_iter().map(G::unpack).collect(),
        nodes: progress.nodes,
        depth: progress.depth,
        proof,
        moves,
    }
}
