use super::MctsConfig;
use super::arena::Arena;
use super::history::History;
use super::node::{Node, Stats};
use super::select::{Selection, prove, select, visited_prefix};
use crate::{Evaluator, Game, Outcome, Player, Proof};

/// One thread's part of a search: its own game and scratch memory, on a possibly shared tree.
pub(super) struct Worker<'a, G: Game, E> {
    arena: &'a Arena,
    config: &'a MctsConfig,
    evaluator: &'a mut E,
    history: &'a mut History,
    game: G,
    /// The steps to the start of the next walk.
    path: Vec<Step<'a, G::Move>>,
    moves: Vec<G::Move>,
    values: Vec<f32>,
    /// Some of the values.
    part: Vec<f32>,
    /// The moves in order of value.
    ranked: Vec<Ranked>,
    /// Their priors.
    priors: Vec<f32>,
    /// The gains in other positions of the moves that are not judged; minus infinity for those that are.
    gains: Vec<f32>,
    /// The longest path so far, in plies.
    pub(super) depth: u32,
    /// Visits made and positions evaluated.
    effort: u64,
    /// Whether the tree had no room for a node's children.
    pub(super) is_starved: bool,
}

/// Visits below a node.
#[derive(Clone, Copy, Default)]
struct Visits {
    count: u32,
    /// The sum of their values.
    sum: f32,
}

/// A move down the tree.
struct Step<'a, M> {
    parent: &'a Node,
    child: &'a Node,
    stats: &'a Stats,
    mv: M,
    /// The player who chose it.
    turn: Player,
    /// The visit's value until its own is known.
    provisional: f32,
    /// Whether the parent has a drawn child.
    drawable: bool,
    /// Visits not yet added to the child.
    pending: Visits,
}

impl<'a, G: Game, E: Evaluator<G>> Worker<'a, G, E> {
    pub(super) fn new(
        arena: &'a Arena,
        config: &'a MctsConfig,
        (evaluator, history): &'a mut (E, History),
        game: G,
    ) -> Self {
        Self {
            arena,
            config,
            evaluator,
            history,
            game,
            path: Vec::new(),
            moves: Vec::new(),
            values: Vec::new(),
            part: Vec::new(),
            ranked: Vec::new(),
            priors: Vec::new(),
            gains: Vec::new(),
            depth: 0,
            effort: 0,
            is_starved: false,
        }
    }

    /// Returns the visits made plus the positions evaluated for them.
    pub(super) const fn effort(&self) -> u64 {
        self.effort
    }

    /// Returns whether the root is proven.
    pub(super) fn is_done(&self) -> bool {
        self.arena.root().is_proven()
    }

    /// Walks to a leaf, evaluates it, and updates the nodes on the way that are due. Judging many moves ends early when
    /// the search `is_over`.
    pub(super) fn visit(&mut self, is_over: &mut dyn FnMut() -> bool) {
        self.effort += 1;
        // A step has counted the first visit below it; the root's is not yet counted.
        let start = self.path.last().map(|step| (step.child, step.pending.count));
        let (mut node, mut uncounted) = start.unwrap_or((self.arena.root(), 1));
        loop {
            // Another thread may just have proven it.
            if node.is_proven() {
                break;
            }
            let Some((first, count)) = node.children() else { break };
            let visits = node.visits() + uncounted;
            if node.is_partial() && visits >= self.config.judge_all_after {
                break;
            }
            let (children, stats) = (self.arena.block(first, count), self.arena.stats(first, count));
            let turn = self.game.turn();
            let Selection { child, drawable } = select((children, stats), visits, turn, self.config);
            let Some(child) = child else {
                resolve(node, self.arena, turn);
                break;
            };
            let (child, stats) = (&children[usize::from(child)], &stats[usize::from(child)]);
            let provisional = self.virtual_loss(child, turn);
            child.enter(provisional);
            if self.config.threads > 1 {
                stats.update(child, self.config.minimax_weight);
            }
            let mv = G::unpack(child.packed());
            self.game.play(mv);
            self.path.push(Step {
                parent: node,
                child,
                stats,
                mv,
                turn,
                provisional,
                drawable,
                pending: Visits::default(),
            });
            (node, uncounted) = (child, 0);
        }
        let before = node.minimax();
        let value = self.judge(node, is_over);
        self.back_up(node, before, value);
    }

    /// Adds all pending visits to their nodes and returns to the root.
    pub(super) fn finish(&mut self) {
        let mut visits = Visits::default();
        while let Some(step) = self.path.pop() {
            visits = self.backpropagate(&step, visits);
        }
        self.arena.root().count(visits.count, visits.sum);
    }

    /// Returns the value that a visit chosen by `turn` has for other threads until its own is known.
    fn virtual_loss(&self, child: &Node, turn: Player) -> f32 {
        if self.config.threads > 1 {
            child.value(self.config.minimax_weight) - turn.sign() * self.config.virtual_loss
        } else {
            0.0
        }
    }

    /// Returns the value of the node where a walk ends; expands it when due.
    fn judge(&mut self, node: &Node, is_over: &mut dyn FnMut() -> bool) -> f32 {
        if let Some(proof) = node.proof() {
            return proof.outcome.value();
        }
        // The visit itself is already counted. With several threads the first visitor may still be evaluating.
        if (node.visits() <= 1 || self.config.threads > 1)
            && let Some(outcome) = self.game.outcome()
        {
            node.prove(Proof { outcome, plies: 0 });
            return outcome.value();
        }
        if node.is_partial() {
            self.complete(node, is_over);
        } else if node.visits() >= self.config.expand_after {
            let is_young = node.visits() < self.config.judge_all_after;
            self.expand(node, if is_young { self.config.judge_first as usize } else { usize::MAX }, is_over);
        }
        node.minimax()
    }

    /// Gives a leaf children for at least `most` moves, those that promise most, if there is memory; for fewer if the search
    /// `is_over` before all are judged.
    pub(super) fn expand(&mut self, node: &Node, most: usize, is_over: &mut dyn FnMut() -> bool) {
        if !node.claim() {
            return;
        }
        self.hide_leaf();
        self.game.moves(&mut self.moves);
        debug_assert!(!self.moves.is_empty(), "an open game has a move");
        let all = self.moves.len();
        self.keep_promising(most.max(1));
        let best = self.judge_moves(node.minimax(), is_over);
        self.moves.truncate(self.values.len());
        let count = number_of(&self.moves);
        let Some(first) = self.arena.allocate(count) else {
            self.is_starved = true;
            return node.release();
        };
        self.set_up(self.places(first, count));
        node.set_minimax(self.game.turn().sign() * best);
        node.set_partial(self.moves.len() < all);
        node.publish(first, count);
    }

    /// Gives children to the moves of a node that have none, if there is memory and the search is not over before all are
    /// judged.
    ///
    /// The visited ones move with what is known of them. Other threads may still be at the old ones: what they then add
    /// to these is lost, but not what they add farther down.
    pub(super) fn complete(&mut self, node: &Node, is_over: &mut dyn FnMut() -> bool) {
        let Some((old, before)) = node.children().filter(|&(first, _)| node.claim_again(first)) else { return };
        self.hide_leaf();
        self.game.moves(&mut self.moves);
        let own = self.evaluator.evaluate(&self.game);
        self.gains.clear();
        self.judge_moves(own, is_over);
        if self.values.len() < self.moves.len() {
            return node.publish(old, before);
        }
        let count = number_of(&self.moves);
        let Some(first) = self.arena.allocate(count) else {
            self.is_starved = true;
            return node.publish(old, before);
        };
        let sign = self.game.turn().sign();
        let mut places = self.places(first, count);
        let mut best = f32::NEG_INFINITY;
        for old in self.arena.block(old, before).iter().take_while(|old| old.visits() > 0) {
            let is_it = |ranked: &Ranked| G::pack(self.moves[ranked.index()]) == old.packed();
            let (at, (place, stats)) =
                self.ranked.iter().position(is_it).zip(places.next()).expect("a move of the same position");
            let ranked = self.ranked.remove(at);
            place.move_from(old);
            place.set_prior(self.priors[ranked.index()]);
            stats.update(place, self.config.minimax_weight);
            best = best.max(sign * place.minimax());
        }
        self.set_up(places);
        best = self.ranked.first().map_or(best, |ranked| best.max(ranked.value()));
        node.set_minimax(sign * best);
        node.publish(first, count);
        node.set_partial(false);
        self.arena.retire(old, before);
    }

    fn places(&self, first: u32, count: u16) -> impl Iterator<Item = (&'a Node, &'a Stats)> + use<'a, G, E> {
        self.arena.block(first, count).iter().zip(self.arena.stats(first, count))
    }

    /// Sets up children for the ranked moves.
    fn set_up<'b>(&self, places: impl Iterator<Item = (&'b Node, &'b Stats)>) {
        let sign = self.game.turn().sign();
        for (ranked, (place, stats)) in self.ranked.iter().zip(places) {
            let (prior, value) = (self.priors[ranked.index()], sign * ranked.value());
            place.set(G::pack(self.moves[ranked.index()]), prior, value);
            stats.set(prior, value);
        }
    }

    /// Keeps other threads from arriving at the leaf of the walk: this thread may be without a processor for long.
    fn hide_leaf(&self) {
        if let Some(step) = self.path.last().filter(|_| self.config.threads > 1) {
            step.stats.hide();
        }
    }

    /// Keeps the `most` moves that were worth most in other positions, and those that were never judged.
    fn keep_promising(&mut self, most: usize) {
        self.gains.clear();
        if self.moves.len() <= most {
            return;
        }
        let turn = self.game.turn();
        self.gains.extend(self.moves.iter().map(|&mv| self.history.gain(G::pack(mv), turn).unwrap_or(f32::INFINITY)));
        self.ranked.clear();
        self.ranked.extend((0..).zip(&self.gains).map(|(index, &gain)| Ranked::new(gain, index)));
        let mut kept = most;
        self.ranked.select_nth_unstable(most - 1);
        if self.ranked[most - 1].value() == f32::INFINITY {
            kept = self.gains.iter().filter(|&&gain| gain == f32::INFINITY).count();
            self.ranked.sort_unstable();
        }
        self.ranked.truncate(kept);
        self.ranked.sort_unstable_by_key(|ranked| ranked.index());
        for (place, ranked) in self.ranked.iter().enumerate() {
            self.moves[place] = self.moves[ranked.index()];
            self.gains[ranked.index()] = f32::NEG_INFINITY;
        }
        self.moves.truncate(kept);
    }

    /// Judges the moves of a position with the static value `own`, at least some, and the others unless the search
    /// `is_over` meanwhile; ranks them and gives them priors. Returns the best value, for the mover.
    fn judge_moves(&mut self, own: f32, is_over: &mut dyn FnMut() -> bool) -> f32 {
        let turn = self.game.turn();
        let sign = turn.sign();
        self.values.clear();
        let part = usize::try_from(self.config.effort_per_question.max(1)).unwrap_or(usize::MAX);
        for moves in self.moves.chunks(part) {
            if !self.values.is_empty() && is_over() {
                break;
            }
            self.evaluator.evaluate_moves(&mut self.game, moves, &mut self.part);
            self.values.append(&mut self.part);
        }
        self.effort += self.values.len() as u64;
        let mut best = f32::NEG_INFINITY;
        // A search that judges all moves at once never asks for gains, and the table would fill its cache.
        let learns = self.config.judge_first < u32::MAX;
        self.ranked.clear();
        for ((index, &mv), &value) in (0..).zip(&self.moves).zip(&self.values) {
            if learns {
                self.history.learn(G::pack(mv), turn, sign * (value - own));
            }
            self.ranked.push(Ranked::new(sign * value, index));
            best = best.max(sign * value);
        }
        self.ranked.sort_unstable();
        self.priors.clear();
        self.priors.extend(self.values.iter().map(|value| ((sign * value - best) / self.config.temperature).exp()));
        // The others have their shares, too.
        let others = self.gains.iter().map(|gain| share((sign * own + gain - best) / self.config.temperature));
        let total = self.priors.iter().sum::<f32>() + others.sum::<f32>();
        self.priors.iter_mut().for_each(|share| *share /= total);
        best
    }

    /// Propagates value, minimax and proof of a leaf up to the first node whose parent need not be updated yet: in all
    /// nodes above, only the number and mean of visits can have changed.
    fn back_up(&mut self, leaf: &Node, before: f32, value: f32) {
        self.depth = self.depth.max(u32::try_from(self.path.len()).unwrap_or(u32::MAX));
        // The child's minimax before this visit, while it differs from the one after.
        let mut before = Some(before).filter(|&before| before != leaf.minimax());
        let mut proven = leaf.is_proven();
        let mut visits = Visits { count: 1, sum: value };
        while let Some(step) = self.path.pop() {
            visits = self.backpropagate(&step, visits);
            let Step { parent, child, turn, .. } = step;
            before = before.and_then(|before| self.update_minimax(parent, child, before, turn));
            if proven {
                let minimax = parent.minimax();
                resolve(parent, self.arena, turn);
                proven = parent.is_proven();
                if let Some(proof) = parent.proof() {
                    visits = Visits::alike(visits.count, proof.outcome.value());
                    before = before.or(Some(minimax).filter(|&minimax| minimax != proof.outcome.value()));
                }
            }
            let is_urgent = proven || before.is_some();
            if let Some(step) = self.path.last_mut().filter(|_| !is_urgent) {
                let pending = step.pending.and(visits);
                if pending.is_less_than(self.config.backup_delay, step.child.visits()) {
                    step.pending = pending;
                    return;
                }
            }
        }
        self.arena.root().count(visits.count, visits.sum);
    }

    /// Takes a step back and adds these visits and earlier ones to its child; returns those for the parent.
    fn backpropagate(&mut self, step: &Step<'a, G::Move>, visits: Visits) -> Visits {
        let visits = step.pending.and(visits);
        self.game.undo(step.mv);
        step.child.settle(step.provisional, visits.count, visits.sum);
        step.stats.update(step.child, self.config.minimax_weight);
        if step.drawable && visits.sum * step.turn.sign() < 0.0 {
            return Visits::alike(visits.count, 0.0);
        }
        visits
    }

    /// Updates `parent`'s minimax after `child`'s changed; returns the old one if it changes too.
    fn update_minimax(&self, parent: &Node, child: &Node, before: f32, turn: Player) -> Option<f32> {
        let sign = turn.sign();
        let (old, new) = (parent.minimax(), child.minimax());
        let lifted = if sign * new >= sign * old {
            new
        } else if before == old || self.config.threads > 1 {
            // With several threads a change may have been missed, so only a look at all children is certain.
            let children = visited_prefix(self.arena.children(parent)).map(|child| sign * child.minimax());
            // None are left while another thread adds some.
            sign * children.reduce(f32::max)?
        } else {
            old
        };
        if lifted == old {
            return None;
        }
        parent.set_minimax(lifted);
        Some(old)
    }
}

#[expect(clippy::cast_precision_loss, reason = "the 24th bit of a count does not matter")]
impl Visits {
    /// Visits of one value.
    const fn alike(count: u32, value: f32) -> Self {
        Self { count, sum: count as f32 * value }
    }

    fn and(self, other: Self) -> Self {
        Self { count: self.count + other.count, sum: self.sum + other.sum }
    }

    /// Returns whether these are less than a share of `of` visits.
    fn is_less_than(self, share: f32, of: u32) -> bool {
        (self.count as f32) < share * of as f32
    }
}

/// Proves a node if its children do.
fn resolve(node: &Node, arena: &Arena, turn: Player) {
    // A move without a child may be better than all that have one.
    let is_partial = node.is_partial();
    if let Some(proof) = prove(visited_prefix(arena.children(node)).map(Node::proof), turn)
        && (!is_partial || proof.outcome == Outcome::Win(turn))
    {
        node.prove(proof);
    }
}

/// Returns about exp(`power`), at most 1, in a few multiplications.
fn share(power: f32) -> f32 {
    let root = (1.0 + power / 32.0).clamp(0.0, 1.0);
    let square = |number: f32| number * number;
    square(square(square(square(square(root)))))
}

/// Returns the number of moves of a position.
fn number_of<M>(moves: &[M]) -> u16 {
    u16::try_from(moves.len()).expect("a position has fewer than 65,536 moves")
}

/// A move's index and value in one number that is smaller for larger values; equal values keep the order of indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ranked(u64);

impl Ranked {
    #[inline]
    const fn new(value: f32, index: u16) -> Self {
        let bits = value.to_bits();
        // Positive numbers ascend with their bits, above the negative ones, which descend.
        let ascending = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
        Self((!ascending as u64) << 32 | index as u64)
    }

    #[inline]
    const fn value(self) -> f32 {
        let ascending = !((self.0 >> 32) as u32);
        f32::from_bits(if ascending >> 31 == 1 { ascending & !(1 << 31) } else { !ascending })
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the low bits are the index")]
    const fn index(self) -> usize {
        self.0 as u16 as usize
    }
}
