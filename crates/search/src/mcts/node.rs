use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicI64, AtomicU16, AtomicU32};

use crate::{Outcome, Player, Proof};

/// The fixed point of [`Node::sum`]: 2^32 visits stay exact.
const SUM_SCALE: f32 = (1 << 20) as f32;
/// [`Node::first_child`] of a node without children; the root is nobody's child.
const LEAF: u32 = 0;
/// [`Node::first_child`] while a thread evaluates the children.
const BUSY: u32 = u32::MAX;

/// A position of the tree, named by the move that leads to it. All values are First's.
///
/// The fields are atomics because threads share the tree, even those that never change: one kind of memory serves all
/// (and costs nothing, relaxed loads being plain loads).
#[derive(Debug, Default)]
#[repr(align(32))]
pub(super) struct Node {
    /// The sum of the values backed up, and of the static value as a pseudo-visit, in units of 1 / `SUM_SCALE`.
    sum: AtomicI64,
    visits: AtomicU32,
    /// The move, packed.
    mv: AtomicU32,
    /// Bits of the share of its parent's exploration.
    prior: AtomicU32,
    /// Bits of the minimax over the tree below of static values and proofs.
    minimax: AtomicU32,
    first_child: AtomicU32,
    children: AtomicU16,
    /// Bits 0 and 1: unknown, First wins, Second wins, draw; the others: plies to the end.
    proof: AtomicU16,
}

const _: () = assert!(size_of::<Node>() == 32);

/// The parts of a node's selection score that its parent fixes.
#[derive(Clone, Copy)]
pub(super) struct Weights {
    /// Factor of the sum of values: the mover's sign, the share of the mean, the fixed point.
    mean: f32,
    /// Factor of the minimax: the mover's sign and the minimax's share.
    minimax: f32,
    /// Factor of the prior: the exploration.
    explore: f32,
}

impl Weights {
    pub(super) fn new(turn: Player, minimax_weight: f32, explore: f32) -> Self {
        let sign = turn.sign();
        Self { mean: sign * (1.0 - minimax_weight) / SUM_SCALE, minimax: sign * minimax_weight, explore }
    }
}

impl Node {
    /// Makes an unvisited node.
    pub(super) fn set(&self, packed: u32, prior: f32, value: f32) {
        self.sum.store(to_fixed(value), Relaxed);
        self.visits.store(0, Relaxed);
        self.mv.store(packed, Relaxed);
        self.prior.store(prior.to_bits(), Relaxed);
        self.set_minimax(value);
        self.first_child.store(LEAF, Relaxed);
        self.children.store(0, Relaxed);
        self.proof.store(0, Relaxed);
    }

    /// Copies a node, in a tree that no other thread sees.
    pub(super) fn copy_from(&self, other: &Self) {
        self.sum.store(other.sum.load(Relaxed), Relaxed);
        self.visits.store(other.visits.load(Relaxed), Relaxed);
        self.mv.store(other.mv.load(Relaxed), Relaxed);
        self.prior.store(other.prior.load(Relaxed), Relaxed);
        self.minimax.store(other.minimax.load(Relaxed), Relaxed);
        self.first_child.store(other.first_child.load(Relaxed), Relaxed);
        self.children.store(other.children.load(Relaxed), Relaxed);
        self.proof.store(other.proof.load(Relaxed), Relaxed);
    }

    pub(super) fn packed(&self) -> u32 {
        self.mv.load(Relaxed)
    }

    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    pub(super) fn minimax(&self) -> f32 {
        f32::from_bits(self.minimax.load(Relaxed))
    }

    pub(super) fn set_minimax(&self, value: f32) {
        self.minimax.store(value.to_bits(), Relaxed);
    }

    /// The share of exploration, for the selection: larger scores are better for the parent's mover.
    #[expect(clippy::cast_precision_loss, reason = "a selection needs no more than 24 bits")]
    pub(super) fn score(&self, weights: Weights) -> f32 {
        let sum = self.sum.load(Relaxed) as f32 * weights.mean;
        let prior = f32::from_bits(self.prior.load(Relaxed)) * weights.explore;
        (sum + prior) / (self.visits() as f32 + 1.0) + self.minimax() * weights.minimax
    }

    /// The node's value: exact if proven, else the mix of mean and minimax.
    pub(super) fn value(&self, minimax_weight: f32) -> f32 {
        self.proof().map_or_else(|| self.score(Weights::new(Player::First, minimax_weight, 0.0)), |p| p.outcome.value())
    }

    /// Counts a visit and, until [`Node::settle`], `loss` as its value: it keeps other threads away.
    pub(super) fn enter(&self, loss: f32) {
        self.visits.fetch_add(1, Relaxed);
        self.add(loss);
    }

    /// Replaces the value that [`Node::enter`] counted.
    pub(super) fn settle(&self, loss: f32, value: f32) {
        self.add(value - loss);
    }

    fn add(&self, value: f32) {
        if value != 0.0 {
            self.sum.fetch_add(to_fixed(value), Relaxed);
        }
    }

    pub(super) fn proof(&self) -> Option<Proof> {
        let bits = self.proof.load(SeqCst);
        let outcome = match bits & 3 {
            0 => return None,
            1 => Outcome::Win(Player::First),
            2 => Outcome::Win(Player::Second),
            _ => Outcome::Draw,
        };
        Some(Proof { outcome, plies: u32::from(bits >> 2) })
    }

    /// A cheap test of [`Node::proof`], for the selection.
    pub(super) fn is_proven(&self) -> bool {
        self.proof.load(Relaxed) & 3 != 0
    }

    /// Notes a proof, unless there is one.
    ///
    /// Sequentially consistent, so that of two threads that prove the last two siblings one sees both.
    pub(super) fn prove(&self, proof: Proof) {
        let code = match proof.outcome {
            Outcome::Win(Player::First) => 1,
            Outcome::Win(Player::Second) => 2,
            Outcome::Draw => 3,
        };
        let plies = u16::try_from(proof.plies).unwrap_or(u16::MAX).min(u16::MAX >> 2);
        if self.proof.compare_exchange(0, plies << 2 | code, SeqCst, SeqCst).is_ok() {
            self.set_minimax(proof.outcome.value());
        }
    }

    /// The place and number of the children; `None` for a leaf.
    pub(super) fn children(&self) -> Option<(u32, u16)> {
        match self.first_child.load(Acquire) {
            LEAF | BUSY => None,
            first => Some((first, self.children.load(Relaxed))),
        }
    }

    /// Takes the right to expand; false when the node has children or another thread took it.
    pub(super) fn claim(&self) -> bool {
        self.first_child.compare_exchange(LEAF, BUSY, Relaxed, Relaxed).is_ok()
    }

    /// Gives the claimed node its children, whose contents other threads now see.
    pub(super) fn publish(&self, first: u32, count: u16) {
        self.children.store(count, Relaxed);
        self.first_child.store(first, Release);
    }

    /// Gives the claim back.
    pub(super) fn release(&self) {
        self.first_child.store(LEAF, Relaxed);
    }
}

#[expect(clippy::cast_possible_truncation, reason = "values are at most 2")]
fn to_fixed(value: f32) -> i64 {
    (value * SUM_SCALE) as i64
}
