use super::MctsConfig;
use super::node::{Node, Seen, Stats};
use crate::{Outcome, Player, Proof};

/// The result of the selection at a node.
pub(super) struct Selection {
    /// The child to visit; `None` when every child is proven.
    pub(super) child: Option<u16>,
    /// Whether a child proven to be a draw is at least as good for the mover.
    pub(super) drawable: bool,
}

/// Chooses the unproven child within the widening limit that PUCT scores highest.
///
/// The score is the child's value for `turn`, plus cpuct * prior * sqrt(visits of the parent) / (visits + 1). The first
/// unvisited child has the highest score of all unvisited ones, so the others are skipped.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts from float saturate")]
#[expect(clippy::cast_precision_loss, reason = "a selection needs no more than 24 bits")]
pub(super) fn select(
    (children, stats): (&[Node], &[Stats]),
    visits: u32,
    turn: Player,
    config: &MctsConfig,
) -> Selection {
    let root = (visits as f32).sqrt();
    let (sign, explore) = (turn.sign(), config.cpuct * root);
    let admitted = (config.widening_start.max(1) as usize).saturating_add((config.widening_factor * root) as usize);
    let admitted = admitted.min(children.len());
    let mut best = (f32::NEG_INFINITY, None);
    let mut drawable = false;
    for (index, own) in (0..).zip(&stats[..admitted]) {
        let Seen { value, exploration, is_visited } = own.read();
        if value.is_nan() {
            let proof = children[usize::from(index)].proof();
            drawable |= proof.is_some_and(|proof| proof.outcome == Outcome::Draw);
            continue;
        }
        let score = sign * value + explore * exploration;
        if score > best.0 {
            best = (score, Some(index));
        }
        if !is_visited {
            break;
        }
    }
    // If all of these are proven but the node is not, the next child may still save it.
    let rest = (0..).zip(children).skip(admitted);
    let next = || rest.clone().find(|(_, child)| !child.is_proven()).map(|(index, _)| index);
    Selection { child: best.1.or_else(next), drawable }
}

/// Returns the visited children and the best of the others.
///
/// Siblings are in order of their priors and so of their static values, and selection visits the first unvisited one
/// next: the unvisited ones are at the end, and their first represents all.
pub(super) fn visited_prefix(children: &[Node]) -> impl Iterator<Item = &Node> + Clone {
    children.iter().scan(true, |goes_on, child| {
        let is_due = std::mem::replace(goes_on, child.visits() > 0);
        is_due.then_some(child)
    })
}

/// Returns what children prove about their parent: one won child wins it; once all are proven, the best is its outcome.
///
/// The plies are an upper bound of the game's length: the winner takes the shortest known path, the loser the longest.
pub(super) fn prove(children: impl Iterator<Item = Option<Proof>> + Clone, turn: Player) -> Option<Proof> {
    let proofs = || children.clone().flatten();
    let win = proofs().filter(|proof| proof.outcome == Outcome::Win(turn)).min_by_key(|proof| proof.plies);
    let all = || {
        if children.clone().any(|proof| proof.is_none()) {
            return None;
        }
        let draw = proofs().find(|proof| proof.outcome == Outcome::Draw);
        draw.or_else(|| proofs().max_by_key(|proof| proof.plies))
    };
    win.or_else(all).map(|proof| Proof { plies: proof.plies + 1, ..proof })
}
