use super::MctsConfig;
use super::arena::Arena;
use super::node::Node;
use super::select::{Selection, frontrunners, select};
use crate::{Evaluator, Game, Outcome, Player, Proof};

/// One thread's share of a search: its own game and scratch memory, on a tree that others may share.
pub(super) struct Worker<'a, G: Game, E> {
    arena: &'a Arena,
    config: &'a MctsConfig,
    evaluator: &'a mut E,
    game: G,
    path: Vec<Step<'a, G::Move>>,
    moves: Vec<G::Move>,
    values: Vec<f32>,
    /// Value for the mover, value, packed move of each child.
    ranked: Vec<(f32, f32, u32)>,
    /// The longest path so far, in plies.
    pub(super) depth: u32,
    /// Visits made and positions evaluated.
    effort: u64,
}

/// A move down the tree.
struct Step<'a, M> {
    parent: &'a Node,
    child: &'a Node,
    mv: M,
    /// Who chose it.
    turn: Player,
    /// Whether the parent has a drawn child.
    drawable: bool,
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
            depth: 0,
            effort: 0,
        }
    }

    /// Visits made, and positions evaluated for them.
    pub(super) const fn effort(&self) -> u64 {
        self.effort
    }

    /// Whether the root is proven.
    pub(super) fn is_done(&self) -> bool {
        self.arena.root().is_proven()
    }

    /// Walks from the root to a leaf, judges it, and tells every node on the way.
    pub(super) fn visit(&mut self) {
        self.effort += 1;
        let root = self.arena.root();
        root.enter(0.0);
        let mut node = root;
        loop {
            // Another thread may just have proven it.
            if node.is_proven() {
                break;
            }
            let children = self.arena.children(node);
            if children.is_empty() {
                break;
            }
            let turn = self.game.turn();
            let Selection { child, drawable } = select(children, node.visits(), turn, self.config);
            let Some(child) = child else {
                resolve(node, children, turn);
                break;
            };
            let child = &children[usize::from(child)];
            child.enter(self.virtual_loss(turn));
            let mv = G::unpack(child.packed());
            self.game.play(mv);
            self.path.push(Step { parent: node, child, mv, turn, drawable });
            node = child;
        }
        let before = node.minimax();
        let value = self.judge(node);
        root.settle(0.0, self.back_up(node, before, value));
    }

    /// A visit by another thread on its way counts as a loss for whoever chose the move.
    fn virtual_loss(&self, turn: Player) -> f32 {
        if self.config.threads > 1 { -turn.sign() } else { 0.0 }
    }

    /// The value of the node where a walk ends; expands it when it is time.
    fn judge(&mut self, node: &Node) -> f32 {
        if let Some(proof) = node.proof() {
            return proof.outcome.value();
        }
        // The visit itself is counted already. Among threads the first visitor may still be asking.
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
        self.game.moves(&mut self.moves);
        let count = u16::try_from(self.moves.len()).expect("a position has fewer than 65,536 moves");
        debug_assert!(count > 0, "an open game has a move");
        let Some(first) = self.arena.allocate(count) else { return node.release() };
        self.effort += u64::from(count);
        let sign = self.game.turn().sign();
        self.evaluator.evaluate_moves(&mut self.game, &self.moves, &mut self.values);
        self.ranked.clear();
        let children = self.values.iter().zip(&self.moves);
        self.ranked.extend(children.map(|(&value, &mv)| (sign * value, value, G::pack(mv))));
        self.ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        let best = self.ranked[0];
        let share = |(mover_value, ..): (f32, f32, u32)| ((mover_value - best.0) / self.config.temperature).exp();
        let shares: f32 = self.ranked.iter().copied().map(share).sum();
        for (&ranked, child) in self.ranked.iter().zip(self.arena.block(first, count)) {
            child.set(ranked.2, share(ranked) / shares, ranked.1);
        }
        node.set_minimax(best.1);
        node.publish(first, count);
    }

    /// Takes the moves of the path back and hands value, minimax and proof up; returns the root's value.
    fn back_up(&mut self, leaf: &Node, before: f32, mut value: f32) -> f32 {
        self.depth = self.depth.max(u32::try_from(self.path.len()).unwrap_or(u32::MAX));
        // The child's minimax before this visit, while it differs from the one after.
        let mut before = Some(before).filter(|&before| before != leaf.minimax());
        let mut proven = leaf.is_proven();
        while let Some(Step { parent, child, mv, turn, drawable }) = self.path.pop() {
            self.game.undo(mv);
            child.settle(self.virtual_loss(turn), value);
            if drawable && value * turn.sign() < 0.0 {
                value = 0.0;
            }
            before = before.and_then(|before| self.lift(parent, child, before, turn));
            if proven {
                let children = self.arena.children(parent);
                let minimax = parent.minimax();
                resolve(parent, children, turn);
                proven = parent.is_proven();
                if let Some(proof) = parent.proof() {
                    value = proof.outcome.value();
                    before = before.or(Some(minimax).filter(|&minimax| minimax != value));
                }
            }
        }
        value
    }

    /// Brings `parent`'s minimax up to date after `child`'s changed; returns what it was, if it changes too.
    fn lift(&self, parent: &Node, child: &Node, before: f32, turn: Player) -> Option<f32> {
        let sign = turn.sign();
        let (old, new) = (parent.minimax(), child.minimax());
        let lifted = if sign * new >= sign * old {
            new
        } else if before == old || self.config.threads > 1 {
            // Among threads a change may have slipped by, so that nothing short of all children is certain.
            let children = frontrunners(self.arena.children(parent)).map(|child| sign * child.minimax());
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

/// Proves a node if its children do: one won child wins it; once all are proven, the best is its outcome.
///
/// The plies bound the game's length from above: the winner takes the shortest way known, the loser the longest.
pub(super) fn resolve(node: &Node, children: &[Node], turn: Player) {
    let proofs = || frontrunners(children).filter_map(Node::proof);
    let win = proofs().filter(|proof| proof.outcome == Outcome::Win(turn)).min_by_key(|proof| proof.plies);
    let all = || {
        if frontrunners(children).any(|child| child.proof().is_none()) {
            return None;
        }
        let draw = proofs().find(|proof| proof.outcome == Outcome::Draw);
        draw.or_else(|| proofs().max_by_key(|proof| proof.plies))
    };
    if let Some(proof) = win.or_else(all) {
        node.prove(Proof { plies: proof.plies + 1, ..proof });
    }
}
