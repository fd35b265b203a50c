//! The best-first search as documented: every child is examined, and derived values are not stored.

use amazons_search::{Evaluator, Game, MctsConfig, Outcome, Proof, RootMove};

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
    /// By prior.
    children: Vec<Self>,
}

const SCALE: f32 = (1 << 20) as f32;

/// The statistics of the root's moves after that many visits, by their packed numbers.
pub(super) fn search<G: Game>(config: &MctsConfig, game: &G, visits: u64) -> Vec<RootMove<u32>> {
    let mut root = SlowNode::new(0, 1.0, 0.0);
    root.expand(config, game);
    let mut left = visits;
    while left > 0 && root.proof.is_none() {
        root.visit(config, game, &mut left);
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
        Self { packed, prior, value, sum, visits: 0, minimax: value, proof: None, children: Vec::new() }
    }

    fn mix(&self, config: &MctsConfig) -> f32 {
        let mean = self.sum as f32 / (SCALE * (self.visits as f32 + 1.0));
        mean + (self.minimax - mean) * config.minimax_weight
    }

    /// Makes visits until they are reported to the parent; returns their number and the sum of their values.
    fn visit<G: Game>(&mut self, config: &MctsConfig, game: &G, left: &mut u64) -> (u32, f32) {
        let before = self.visits + 1;
        self.visits = before;
        let (visits, sum) = if self.children.is_empty() {
            *left -= 1;
            (1, self.judge(config, game))
        } else {
            self.descend(config, game, left)
        };
        self.visits = before - 1 + visits;
        self.sum += (sum * SCALE) as i64;
        (visits, sum)
    }

    fn judge<G: Game>(&mut self, config: &MctsConfig, game: &G) -> f32 {
        if let Some(outcome) = game.outcome() {
            self.prove(Proof { outcome, plies: 0 });
        } else if self.visits >= config.expand_after {
            self.expand(config, game);
        }
        self.minimax
    }

    fn descend<G: Game>(&mut self, config: &MctsConfig, game: &G, left: &mut u64) -> (u32, f32) {
        let (minimax, before) = (self.minimax, self.visits);
        let (mut visits, mut sum) = (0, 0.0);
        loop {
            let below = self.step(config, game, left);
            (visits, sum) = (visits + below.0, sum + below.1);
            self.visits = before + visits;
            let is_patient = (visits as f32) < config.backup_delay * before as f32;
            if *left == 0 || self.proof.is_some() || self.minimax != minimax || !is_patient {
                return (visits, sum);
            }
        }
    }

    /// Lets one child make visits.
    fn step<G: Game>(&mut self, config: &MctsConfig, game: &G, left: &mut u64) -> (u32, f32) {
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
        let (visits, mut sum) = child.visit(config, &after, left);
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

    fn expand<G: Game>(&mut self, config: &MctsConfig, game: &G) {
        let (mut moves, mut values) = (Vec::new(), Vec::new());
        game.moves(&mut moves);
        Noise.evaluate_moves(&mut game.clone(), &moves, &mut values);
        let sign = game.turn().sign();
        let mut ranked: Vec<_> = moves.into_iter().zip(values).collect();
        ranked.sort_by(|(_, a), (_, b)| (sign * b).total_cmp(&(sign * a)));
        self.minimax = ranked[0].1;
        let share = |value: f32| (sign * (value - self.minimax) / config.temperature).exp();
        let total: f32 = ranked.iter().map(|&(_, value)| share(value)).sum();
        let child = |&(mv, value): &(G::Move, f32)| Self::new(G::pack(mv), share(value) / total, value);
        self.children = ranked.iter().map(child).collect();
    }

    fn resolve(&mut self, win: Outcome) {
        let proofs = || self.children.iter().filter_map(|child| child.proof);
        let best = proofs().filter(|proof| proof.outcome == win).min_by_key(|proof| proof.plies).or_else(|| {
            let all_proven = self.children.iter().all(|child| child.proof.is_some());
            let draw = proofs().find(|proof| proof.outcome == Outcome::Draw);
            draw.or_else(|| proofs().max_by_key(|proof| proof.plies)).filter(|_| all_proven)
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
