//! The best-first search as documented: every child is examined, and derived values are not stored.

use std::collections::HashMap;

use amazons_search::{Evaluator, Game, MctsConfig, Outcome, Player, Proof, RootMove};

use super::slow::Noise;

/// A position of the tree.
pub(super) struct SlowNode {
    packed: u32,
    prior: f32,
    value: f32,
    /// In units of 1 / 2^20, the static value included.
    sum: i64,
    visits: u32,
    minimax: f32,
    proof: Option<Proof>,
    /// By prior, the visited ones first.
    children: Vec<Self>,
    /// Whether some moves have no child.
    is_partial: bool,
}

/// The gains of moves: the mean and the number of judgements, by packed move and mover.
type History = HashMap<(u32, bool), (f32, f32)>;

/// The shared state of all visits.
struct Search<'a> {
    config: &'a MctsConfig,
    left: u64,
    history: History,
}

const SCALE: f32 = (1 << 20) as f32;

/// The statistics of the root's moves after that many visits, by their packed numbers.
pub(super) fn search<G: Game>(config: &MctsConfig, game: &G, visits: u64) -> Vec<RootMove<u32>> {
    let mut root = SlowNode::new(0, 1.0, 0.0);
    let mut search = Search { config, left: visits, history: History::new() };
    root.expand(&mut search, game, usize::MAX);
    while search.left > 0 && root.proof.is_none() {
        root.visit(&mut search, game);
    }
    let root_move = |child: &SlowNode| RootMove {
        mv: child.packed,
        visits: child.visits.into(),
        value: child.proof.map_or_else(|| child.mix(config), |proof| proof.outcome.value()),
        proof: child.proof,
    };
    let mut moves: Vec<_> = root.children.iter().map(root_move).collect();
    moves.sort_by_key(|root| root.mv);
    moves
}

impl SlowNode {
    fn new(packed: u32, prior: f32, value: f32) -> Self {
        let sum = (value * SCALE) as i64;
        Self {
            packed,
            prior,
            value,
            sum,
            visits: 0,
            minimax: value,
            proof: None,
            children: Vec::new(),
            is_partial: false,
        }
    }

    fn mix(&self, config: &MctsConfig) -> f32 {
        let mean = self.sum as f32 / (SCALE * (self.visits as f32 + 1.0));
        mean + (self.minimax - mean) * config.minimax_weight
    }

    /// Whether the other moves are to be judged now.
    fn is_due(&self, config: &MctsConfig) -> bool {
        let is_lost = self.children.iter().all(|child| child.proof.is_some());
        self.is_partial && (self.visits >= config.judge_all_after || is_lost)
    }

    /// Makes visits until they are reported to the parent; returns their number and the sum of their values.
    fn visit<G: Game>(&mut self, search: &mut Search, game: &G) -> (u32, f32) {
        let before = self.visits + 1;
        self.visits = before;
        let (visits, sum) = if self.children.is_empty() || self.is_due(search.config) {
            search.left -= 1;
            (1, self.judge(search, game))
        } else {
            self.descend(search, game)
        };
        self.visits = before - 1 + visits;
        self.sum += (sum * SCALE) as i64;
        (visits, sum)
    }

    fn judge<G: Game>(&mut self, search: &mut Search, game: &G) -> f32 {
        if let Some(outcome) = game.outcome() {
            self.prove(Proof { outcome, plies: 0 });
        } else if self.is_partial {
            self.complete(search, game);
        } else if self.visits >= search.config.expand_after {
            let is_young = self.visits < search.config.judge_all_after;
            self.expand(search, game, if is_young { search.config.judge_first.max(1) as usize } else { usize::MAX });
        }
        self.minimax
    }

    fn descend<G: Game>(&mut self, search: &mut Search, game: &G) -> (u32, f32) {
        let config = search.config;
        let (minimax, before) = (self.minimax, self.visits);
        let (mut visits, mut sum) = (0, 0.0);
        loop {
            if self.is_due(config) {
                search.left -= 1;
                self.complete(search, game);
                return (visits + 1, sum + self.minimax);
            }
            let below = self.step(search, game);
            (visits, sum) = (visits + below.0, sum + below.1);
            self.visits = before + visits;
            let is_patient = (visits as f32) < config.backup_delay * before as f32;
            if search.left == 0 || self.proof.is_some() || self.minimax != minimax || !is_patient {
                return (visits, sum);
            }
        }
    }

    /// Lets one child make visits.
    fn step<G: Game>(&mut self, search: &mut Search, game: &G) -> (u32, f32) {
        let config = search.config;
        let turn = game.turn();
        let sign = turn.sign();
        let draws = |child: &Self| child.proof.is_some_and(|proof| proof.outcome == Outcome::Draw);
        let admitted =
            config.widening_start.max(1) as f32 + (config.widening_factor * (self.visits as f32).sqrt()).floor();
        let admitted = (admitted as usize).min(self.children.len());
        let drawable = self.children[..admitted].iter().any(draws);
        let next = self.next(config, sign, admitted);
        let child = &mut self.children[next];
        let mut after = game.clone();
        after.play(G::unpack(child.packed));
        let (visits, mut sum) = child.visit(search, &after);
        let is_proven = child.proof.is_some();
        if drawable && sum * sign < 0.0 {
            sum = 0.0;
        }
        self.minimax = sign * self.children.iter().map(|child| sign * child.minimax).fold(f32::NEG_INFINITY, f32::max);
        if is_proven {
            self.resolve(Outcome::Win(turn));
        }
        (visits, self.proof.map_or(sum, |proof| proof.outcome.value() * visits as f32))
    }

    /// The index of the child to visit: the best open one within the limit, else the next open one.
    fn next(&self, config: &MctsConfig, sign: f32, admitted: usize) -> usize {
        let explore = config.cpuct * (self.visits as f32).sqrt();
        let score = |child: &Self| {
            let value = if child.visits == 0 { child.value } else { child.mix(config) };
            sign * value + explore * (child.prior / (child.visits as f32 + 1.0))
        };
        let mut best = None;
        for (place, child) in self.children.iter().enumerate() {
            let is_candidate = child.proof.is_none() && (place < admitted || best.is_none());
            if is_candidate && best.is_none_or(|(_, top)| score(child) > top) {
                best = Some((place, score(child)));
            }
        }
        best.expect("an open node has an open child").0
    }

    fn expand<G: Game>(&mut self, search: &mut Search, game: &G, most: usize) {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let gain =
            |mv: G::Move| search.history.get(&entry::<G>(mv, game.turn())).map_or(f32::INFINITY, |known| known.0);
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by(|&a, &b| gain(moves[b]).total_cmp(&gain(moves[a])));
        let new = order.iter().filter(|&&index| gain(moves[index]) == f32::INFINITY).count();
        let mut rest = order.split_off(most.max(new).min(moves.len()));
        rest.sort_unstable();
        let rest: Vec<f32> = rest.into_iter().map(|index| gain(moves[index])).collect();
        order.sort_unstable();
        self.is_partial = order.len() < moves.len();
        let moves = order.into_iter().map(|index| moves[index]).collect();
        self.children = judged(search, game, moves, self.minimax, &rest);
        self.minimax = self.children[0].value;
    }

    /// Judges all moves; the visited children keep what they know, and come first.
    fn complete<G: Game>(&mut self, search: &mut Search, game: &G) {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let mut others = judged(search, game, moves, Noise.evaluate(game), &[]);
        self.children.retain(|child| child.visits > 0);
        for child in &mut self.children {
            let at = others.iter().position(|other| other.packed == child.packed).expect("a move");
            child.prior = others.remove(at).prior;
        }
        self.children.extend(others);
        let sign = game.turn().sign();
        self.minimax = sign * self.children.iter().map(|child| sign * child.minimax).fold(f32::NEG_INFINITY, f32::max);
        self.is_partial = false;
    }

    fn resolve(&mut self, win: Outcome) {
        let proofs = || self.children.iter().filter_map(|child| child.proof);
        let best = proofs().filter(|proof| proof.outcome == win).min_by_key(|proof| proof.plies).or_else(|| {
            let all_proven = self.children.iter().all(|child| child.proof.is_some());
            let draw = proofs().find(|proof| proof.outcome == Outcome::Draw);
            draw.or_else(|| proofs().max_by_key(|proof| proof.plies)).filter(|_| all_proven && !self.is_partial)
        });
        if let Some(best) = best {
            self.prove(Proof { plies: best.plies + 1, ..best });
        }
    }

    fn prove(&mut self, proof: Proof) {
        self.proof = Some(proof);
        self.minimax = proof.outcome.value();
    }
}

fn entry<G: Game>(mv: G::Move, turn: Player) -> (u32, bool) {
    (G::pack(mv), turn == Player::Second)
}

/// Children for these moves of a position with the static value `own`, best first; the history learns of them. The
/// other moves gained so much elsewhere.
fn judged<G: Game>(search: &mut Search, game: &G, moves: Vec<G::Move>, own: f32, rest: &[f32]) -> Vec<SlowNode> {
    let mut values = Vec::new();
    Noise.evaluate_moves(&mut game.clone(), &moves, &mut values);
    let sign = game.turn().sign();
    let mut ranked: Vec<_> = moves.into_iter().zip(values).collect();
    for &(mv, value) in &ranked {
        let (mean, count) = search.history.entry(entry::<G>(mv, game.turn())).or_default();
        *count = (*count + 1.0).min(16.0);
        *mean += (sign * (value - own) - *mean) / *count;
    }
    let best = ranked.iter().map(|(_, value)| sign * value).fold(f32::NEG_INFINITY, f32::max);
    let share = |value: f32| ((sign * value - best) / search.config.temperature).exp();
    let of_rest =
        |gain: &f32| (1.0 + (sign * own + gain - best) / search.config.temperature / 32.0).clamp(0.0, 1.0).powi(32);
    let total = ranked.iter().map(|&(_, value)| share(value)).sum::<f32>() + rest.iter().map(of_rest).sum::<f32>();
    ranked.sort_by(|(_, a), (_, b)| (sign * b).total_cmp(&(sign * a)));
    ranked.iter().map(|&(mv, value)| SlowNode::new(G::pack(mv), share(value) / total, value)).collect()
}
