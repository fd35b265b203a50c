use super::AlphaBeta;
use super::score::{self, INFINITE, Score};
use super::table::{Bound, COMPLETE};
use crate::{Budget, Evaluator, Game, Progress};

/// How many moves are judged, for each node that is visited, between two checks of the budget.
const PART: usize = 16;

/// A move with its rank; higher ranks come first.
pub(super) type Ranked = (i32, u32);

/// State shared by all nodes of a search.
pub(super) struct Run<'a> {
    pub(super) budget: &'a mut dyn Budget,
    pub(super) max_nodes: u64,
    pub(super) nodes_per_question: u64,
    pub(super) progress: Progress,
    pub(super) stopped: bool,
    /// Estimated leaves so far, plus reused results that rest on estimates: a search that does not increase this is
    /// exact.
    pub(super) guesses: u64,
    /// The root move being searched.
    pub(super) first: u32,
    /// The cost of a second move after a first: more than 0 for a line to avoid.
    pub(super) cost: &'a dyn Fn(u32, u32) -> Score,
}

impl Run<'_> {
    /// Counts a node; returns false when the search must stop.
    #[inline]
    pub(super) fn enter(&mut self) -> bool {
        if self.stopped || self.progress.nodes >= self.max_nodes {
            self.stopped = true;
        } else {
            self.progress.nodes += 1;
            if self.progress.nodes.is_multiple_of(self.nodes_per_question) && self.budget.exhausted(&self.progress) {
                self.stopped = true;
            }
        }
        !self.stopped
    }
}

/// A node's window and place.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) depth: u8,
    pub(super) ply: u8,
}

impl<G: Game, E: Evaluator<G>> AlphaBeta<G, E> {
    /// Searches a child of `game` after playing `packed`, with `window` from the parent's view.
    ///
    /// The result is also from the parent's view: the window flips only when the turn passes. 0 when stopped.
    pub(super) fn child(&mut self, run: &mut Run, game: &mut G, packed: u32, window: Window) -> Score {
        if !run.enter() {
            return 0;
        }
        let turn = game.turn();
        let cost = if window.ply == 2 { (run.cost)(run.first, packed) } else { 0 };
        let Window { alpha, beta, .. } = window;
        let (alpha, beta) = (score::raised(alpha, cost), score::raised(beta, cost));
        let mv = G::unpack(packed);
        game.play(mv);
        let score = if game.turn() == turn {
            self.node(run, game, Window { alpha, beta, ..window })
        } else {
            -self.node(run, game, Window { alpha: -beta, beta: -alpha, ..window })
        };
        game.undo(mv);
        score::lowered(score, cost)
    }

    /// Returns the score of a position for its side to move: exact inside the window, a bound outside.
    fn node(&mut self, run: &mut Run, game: &mut G, window: Window) -> Score {
        let Window { alpha, beta, depth, ply } = window;
        self.clear_line(ply);
        if let Some(outcome) = game.outcome() {
            return score::from_outcome(outcome, game.turn(), ply);
        }
        if depth == 0 {
            run.guesses += 1;
            return score::from_guess(self.evaluator.evaluate(game), game.turn());
        }
        let key = game.key();
        let entry = self.table.get(key).copied();
        if let Some(entry) = entry {
            let score = score::from_table(entry.score, ply);
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            // An open window belongs to the principal variation, whose moves are needed.
            if decides && entry.depth >= depth && (beta - alpha == 1 || entry.depth == COMPLETE) {
                if entry.depth != COMPLETE {
                    run.guesses += 1;
                }
                self.set_line(ply, entry.mv, true);
                return score;
            }
        }
        let mut moves = self.take_moves(ply);
        self.rank(run, game, &mut moves, window, entry.map(|entry| entry.mv));
        let score = self.children(run, game, &moves, window, key);
        self.lines[usize::from(ply)].moves = moves;
        score
    }

    /// Returns the best score of `moves` and stores it in the table.
    fn children(&mut self, run: &mut Run, game: &mut G, moves: &[Ranked], window: Window, key: u64) -> Score {
        let Window { mut alpha, beta, depth, ply } = window;
        let guesses = run.guesses;
        let turn = game.turn();
        let mut best = (-INFINITE, moves[0].1);
        for (index, &(_, packed)) in moves.iter().enumerate() {
            let score = self.scout(run, game, packed, Window { alpha, ..window }, index == 0);
            if run.stopped {
                return 0;
            }
            if score > best.0 {
                best = (score, packed);
            }
            if score > alpha {
                alpha = score;
                self.set_line(ply, packed, false);
            }
            if score >= beta {
                let before = moves[..index].iter().map(|&(_, packed)| packed);
                self.order.cut_off(turn, ply, depth, packed, before);
                break;
            }
        }
        let bound = match best.0 {
            score if score >= beta => Bound::Lower,
            score if score > window.alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let depth = if run.guesses == guesses { COMPLETE } else { depth };
        self.table.put(key, best.1, score::to_table(best.0, ply), depth, bound);
        best.0
    }

    /// Searches one move at a node with `window` by principal variation search: all but the first are only tested for
    /// being better, and searched again if they are.
    pub(super) fn scout(&mut self, run: &mut Run, game: &mut G, packed: u32, window: Window, first: bool) -> Score {
        let below = Window { depth: window.depth - 1, ply: window.ply + 1, ..window };
        if first || below.beta - below.alpha == 1 {
            return self.child(run, game, packed, below);
        }
        let score = self.child(run, game, packed, Window { beta: below.alpha + 1, ..below });
        if run.stopped || score <= below.alpha || score >= below.beta {
            return score;
        }
        self.child(run, game, packed, below)
    }

    /// Fills `ranked` with the moves, best first: the table's, then by the evaluator far from the leaves, or by killers
    /// and history near them. The evaluator judges some at least, and the others unless the budget ends meanwhile.
    pub(super) fn rank(
        &mut self,
        run: &mut Run,
        game: &mut G,
        ranked: &mut Vec<Ranked>,
        window: Window,
        hint: Option<u32>,
    ) {
        let turn = game.turn();
        let mut moves = std::mem::take(&mut self.moves);
        game.moves(&mut moves);
        debug_assert!(!moves.is_empty(), "an open game has a move");
        ranked.clear();
        if u32::from(window.depth) >= self.config.evaluator_order {
            let part = PART.saturating_mul(usize::try_from(run.nodes_per_question).unwrap_or(usize::MAX));
            for moves in moves.chunks(part) {
                run.stopped = run.stopped || (!ranked.is_empty() && run.budget.exhausted(&run.progress));
                if run.stopped && !ranked.is_empty() {
                    ranked.extend(moves.iter().map(|&mv| (-INFINITE, G::pack(mv))));
                    continue;
                }
                self.evaluator.evaluate_moves(game, moves, &mut self.values);
                let ranks = self.values.iter().map(|&value| score::from_guess(value, turn));
                ranked.extend(ranks.zip(moves.iter().map(|&mv| G::pack(mv))));
            }
        } else {
            let rank = |&mv| (self.order.rank(turn, window.ply, G::pack(mv)), G::pack(mv));
            ranked.extend(moves.iter().map(rank));
        }
        self.moves = moves;
        if let Some(first) = ranked.iter_mut().find(|(_, packed)| Some(*packed) == hint) {
            first.0 = Score::MAX;
        }
        ranked.sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
    }
}
