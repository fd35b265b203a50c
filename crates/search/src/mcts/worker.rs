use super::MctsConfig;
use super::arena::Arena;
use super::node::{Node, Stats};
use super::select::{Selection, prove, select, visited_prefix};
use crate::{Evaluator, Game, Player, Proof};

/// One thread's part of a search: its own game and scratch memory, on a possibly shared tree.
pub(super) struct Worker<'a, G: Game, E> {
    arena: &'a Arena,
    config: &'a MctsConfig,
    evaluator: &'a mut E,
    game: G,
    /// The steps to the start of the next walk.
    path: Vec<Step<'a, G::Move>>,
    moves: Vec<G::Move>,
    values: Vec<f32>,
    /// The children in order of value: keys that end in a child's index.
    ranked: Vec<u64>,
    /// The children's priors in that order, before normalization.
    shares: Vec<f32>,
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
    pub(super) fn new(arena: &'a Arena, config: &'a MctsConfig, evaluator: &'a mut E, game: G) -> Self {
        Self {
            arena,
            config,
            evaluator,
            game,
            path: Vec::new(),
            moves: Vec::new(),
            values: Vec::new(),
            ranked: Vec::new(),
            shares: Vec::new(),
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

    /// Walks to a leaf, evaluates it, and updates the nodes on the way that are due.
    pub(super) fn visit(&mut self) {
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
            let (children, stats) = (self.arena.block(first, count), self.arena.stats(first, count));
            let turn = self.game.turn();
            let visits = node.visits() + uncounted;
            let Selection { child, drawable } = select((children, stats), visits, turn, self.config);
            let Some(child) = child else {
                resolve(node, children, turn);
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
        let value = self.judge(node);
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
    fn judge(&mut self, node: &Node) -> f32 {
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
        if node.visits() >= self.config.expand_after {
            self.expand(node);
        }
        node.minimax()
    }

    /// Gives a leaf its children, evaluated and ordered by prior, if there is memory.
    pub(super) fn expand(&mut self, node: &Node) {
        if !node.claim() {
            return;
        }
        // Other threads would keep arriving at this leaf: this thread may be without a processor for long.
        if let Some(step) = self.path.last().filter(|_| self.config.threads > 1) {
            step.stats.hide();
        }
        self.game.moves(&mut self.moves);
        let count = u16::try_from(self.moves.len()).expect("a position has fewer than 65,536 moves");
        debug_assert!(count > 0, "an open game has a move");
        let Some(first) = self.arena.allocate(count) else {
            self.is_starved = true;
            return node.release();
        };
        self.effort += u64::from(count);
        let sign = self.game.turn().sign();
        self.evaluator.evaluate_moves(&mut self.game, &self.moves, &mut self.values);
        self.ranked.clear();
        self.ranked.extend((0..).zip(&self.values).map(|(index, &value)| descending(sign * value, index)));
        self.ranked.sort_unstable();
        let child = |&key: &u64| usize::from(index_of(key));
        let best = self.values[child(&self.ranked[0])];
        let share = |key| ((sign * (self.values[child(key)] - best)) / self.config.temperature).exp();
        self.shares.clear();
        self.shares.extend(self.ranked.iter().map(share));
        let total: f32 = self.shares.iter().sum();
        let places = self.arena.block(first, count).iter().zip(self.arena.stats(first, count));
        for ((key, share), (place, stats)) in self.ranked.iter().zip(&self.shares).zip(places) {
            let (prior, value) = (share / total, self.values[child(key)]);
            place.set(G::pack(self.moves[child(key)]), prior, value);
            stats.set(prior, value);
        }
        node.set_minimax(best);
        node.publish(first, count);
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
                let children = self.arena.children(parent);
                let minimax = parent.minimax();
                resolve(parent, children, turn);
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
            sign * children.fold(f32::NEG_INFINITY, f32::max)
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
fn resolve(node: &Node, children: &[Node], turn: Player) {
    if let Some(proof) = prove(visited_prefix(children).map(Node::proof), turn) {
        node.prove(proof);
    }
}

/// Returns a key that is smaller for larger values; equal values keep the order of their indices.
const fn descending(value: f32, index: u16) -> u64 {
    let bits = value.to_bits();
    // Positive numbers ascend with their bits, above the negative ones, which descend.
    let ascending = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
    (!ascending as u64) << 32 | index as u64
}

/// Returns the index in a key.
#[expect(clippy::cast_possible_truncation, reason = "the low bits are the index")]
const fn index_of(key: u64) -> u16 {
    key as u16
}
