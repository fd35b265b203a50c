use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicI64, AtomicU16, AtomicU32};

use bytemuck::Zeroable;

use crate::{Outcome, Player, Proof};

/// The fixed point of [`Node::sum`]: 2^32 visits stay exact.
const SUM_SCALE: f32 = (1 << 20) as f32;
/// [`Node::first_child`] of a node without children; the root is never a child.
const LEAF: u32 = 0;
/// [`Node::first_child`] while a thread evaluates the children.
const BUSY: u32 = u32::MAX;

/// The sign bit of [`Node::prior`].
const PARTIAL: u32 = 1 << 31;

/// A position of the tree, named by the move that leads to it. All values are First's.
///
/// The fields are atomics because threads share the tree, even fields that never change: one kind of memory serves all
/// (relaxed loads cost no more than plain ones).
#[derive(Debug, Zeroable)]
#[repr(align(32))]
pub(super) struct Node {
    /// The sum of the backed-up values, with the static value as a pseudo-visit, in units of 1 / `SUM_SCALE`.
    sum: AtomicI64,
    visits: AtomicU32,
    /// The move, packed.
    mv: AtomicU32,
    /// The bits of its prior, the share of its parent's exploration; negative while only some moves have children.
    prior: AtomicU32,
    /// The bits of the minimax of static values and proofs below.
    minimax: AtomicU32,
    first_child: AtomicU32,
    children: AtomicU16,
    /// Bits 0 and 1: unknown, First wins, Second wins, draw; the others: plies to the end.
    proof: AtomicU16,
}

const _: () = assert!(size_of::<Node>() == 32);

/// The part of a node that selection reads, stored separately to keep siblings close together.
///
/// Derived from the node and updated after each visit. Other threads may see it late.
#[derive(Debug, Zeroable)]
#[repr(align(8))]
pub(super) struct Stats {
    /// Bits of the node's value; NaN once the node is proven, and while a thread evaluates its children.
    value: AtomicU32,
    /// Bits of prior / (visits + 1), negative while unvisited.
    exploration: AtomicU32,
}

/// A snapshot of a [`Stats`].
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// First's value; NaN if no visit should go there.
    pub(super) value: f32,
    /// prior / (visits + 1).
    pub(super) exploration: f32,
    pub(super) is_visited: bool,
}

impl Stats {
    /// Sets the static value and the prior of an unvisited node.
    #[inline]
    pub(super) fn set(&self, prior: f32, value: f32) {
        self.value.store(value.to_bits(), Relaxed);
        self.exploration.store((-prior).to_bits(), Relaxed);
    }

    /// Updates from the node after a visit.
    #[inline]
    pub(super) fn update(&self, node: &Node, minimax_weight: f32) {
        let visits = node.visits();
        let value = if node.is_proven() { f32::NAN } else { node.mix(visits, minimax_weight) };
        self.value.store(value.to_bits(), Relaxed);
        self.exploration.store((node.prior() / visits_and_one(visits)).to_bits(), Relaxed);
    }

    /// Keeps other threads away until the next update.
    #[inline]
    pub(super) fn hide(&self) {
        self.value.store(f32::NAN.to_bits(), Relaxed);
    }

    pub(super) fn copy_from(&self, other: &Self) {
        self.value.store(other.value.load(Relaxed), Relaxed);
        self.exploration.store(other.exploration.load(Relaxed), Relaxed);
    }

    #[inline]
    pub(super) fn read(&self) -> Seen {
        let exploration = f32::from_bits(self.exploration.load(Relaxed));
        let value = f32::from_bits(self.value.load(Relaxed));
        Seen { value, exploration: exploration.abs(), is_visited: exploration.is_sign_positive() }
    }
}

impl Node {
    /// Initializes an unvisited node.
    #[inline]
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

    /// Copies a node, with no other thread on the tree.
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

    /// Takes over all that is known of a node and its children; threads that are still at the old one stop there.
    ///
    /// While one of them is giving it children, the new node has none.
    pub(super) fn move_from(&self, old: &Self) {
        self.copy_from(old);
        let mut first = old.first_child.load(Acquire);
        while first != BUSY
            && let Err(now) = old.first_child.compare_exchange_weak(first, BUSY, Acquire, Acquire)
        {
            first = now;
        }
        if first == LEAF || first == BUSY {
            self.release();
        } else {
            self.publish(first, old.children.load(Relaxed));
        }
    }

    #[inline]
    pub(super) fn packed(&self) -> u32 {
        self.mv.load(Relaxed)
    }

    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    #[inline]
    pub(super) fn minimax(&self) -> f32 {
        f32::from_bits(self.minimax.load(Relaxed))
    }

    #[inline]
    pub(super) fn set_minimax(&self, value: f32) {
        self.minimax.store(value.to_bits(), Relaxed);
    }

    /// Returns its share of its parent's exploration.
    #[inline]
    fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Relaxed)).abs()
    }

    /// Returns whether only some moves have children. Ask before [`Node::children`]: the others may just come.
    #[inline]
    pub(super) fn is_partial(&self) -> bool {
        self.prior.load(Acquire) & PARTIAL != 0
    }

    /// Sets whether only some moves have children; the children come first.
    #[inline]
    pub(super) fn set_partial(&self, is_partial: bool) {
        if is_partial {
            self.prior.fetch_or(PARTIAL, Release);
        } else {
            self.prior.fetch_and(!PARTIAL, Release);
        }
    }

    /// Replaces the prior.
    #[inline]
    pub(super) fn set_prior(&self, prior: f32) {
        let partial = self.prior.load(Relaxed) & PARTIAL;
        self.prior.store(partial | prior.to_bits(), Relaxed);
    }

    /// Returns the mean of the backed-up values, including the static one, mixed with the minimax.
    #[expect(clippy::cast_precision_loss, reason = "a selection needs no more than 24 bits")]
    #[inline]
    fn mix(&self, visits: u32, minimax_weight: f32) -> f32 {
        let mean = self.sum.load(Relaxed) as f32 / (SUM_SCALE * visits_and_one(visits));
        mean + (self.minimax() - mean) * minimax_weight
    }

    /// Returns the node's value: exact if proven, else the mix of mean and minimax.
    #[inline]
    pub(super) fn value(&self, minimax_weight: f32) -> f32 {
        self.proof().map_or_else(|| self.mix(self.visits(), minimax_weight), |proof| proof.outcome.value())
    }

    /// Counts a visit with a provisional value until [`Node::settle`].
    #[inline]
    pub(super) fn enter(&self, provisional: f32) {
        self.visits.fetch_add(1, Relaxed);
        self.add(to_fixed(provisional));
    }

    /// Replaces the visit that [`Node::enter`] counted by `visits` visits with this sum of values.
    #[inline]
    pub(super) fn settle(&self, provisional: f32, visits: u32, sum: f32) {
        if visits != 1 {
            // Zero visits remove that one.
            self.visits.fetch_add(visits.wrapping_sub(1), Relaxed);
        }
        self.add(to_fixed(sum) - to_fixed(provisional));
    }

    /// Adds visits with this sum of values.
    #[inline]
    pub(super) fn count(&self, visits: u32, sum: f32) {
        self.visits.fetch_add(visits, Relaxed);
        self.add(to_fixed(sum));
    }

    #[inline]
    fn add(&self, fixed: i64) {
        if fixed != 0 {
            self.sum.fetch_add(fixed, Relaxed);
        }
    }

    #[inline]
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

    /// A cheap version of [`Node::proof`] for the selection.
    #[inline]
    pub(super) fn is_proven(&self) -> bool {
        self.proof.load(Relaxed) & 3 != 0
    }

    /// Sets a proof, unless there already is one.
    ///
    /// Sequentially consistent: if two threads prove the last two siblings, one sees both.
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

    /// Returns the place and number of the children; `None` for a leaf.
    #[inline]
    pub(super) fn children(&self) -> Option<(u32, u16)> {
        match self.first_child.load(Acquire) {
            LEAF | BUSY => None,
            first => Some((first, self.children.load(Relaxed))),
        }
    }

    /// Claims the right to expand; false if the node has children or another thread has claimed it.
    #[inline]
    pub(super) fn claim(&self) -> bool {
        self.first_child.compare_exchange(LEAF, BUSY, Relaxed, Relaxed).is_ok()
    }

    /// Publishes the claimed node's children to other threads.
    #[inline]
    pub(super) fn publish(&self, first: u32, count: u16) {
        self.children.store(count, Relaxed);
        self.first_child.store(first, Release);
    }

    /// As [`Node::claim`] for a node with children, for one thread at a time.
    #[inline]
    pub(super) fn claim_again(&self, first: u32) -> bool {
        self.first_child.compare_exchange(first, BUSY, Relaxed, Relaxed).is_ok()
    }

    /// Makes it a leaf.
    pub(super) fn release(&self) {
        self.set_partial(false);
        self.first_child.store(LEAF, Relaxed);
    }
}

#[expect(clippy::cast_precision_loss, reason = "a selection needs no more than 24 bits")]
#[inline]
fn visits_and_one(visits: u32) -> f32 {
    visits as f32 + 1.0
}

#[expect(clippy::cast_possible_truncation, reason = "sums of values are at most a count of visits")]
#[inline]
fn to_fixed(value: f32) -> i64 {
    (value * SUM_SCALE) as i64
}
