use super::MctsConfig;
use super::node::{Node, Weights};
use crate::{Outcome, Player};

/// What the selection at a node found.
pub(super) struct Selection {
    /// The child to visit; `None` when every child is proven.
    pub(super) child: Option<u16>,
    /// Whether a child proven to be a draw leaves the mover no less than that.
    pub(super) drawable: bool,
}

/// Chooses the child that PUCT scores highest among those that are not proven and that widening admits.
///
/// The score is the child's value for `turn`, plus cpuct * prior * sqrt(visits of the parent) / (visits + 1). Of the
/// children without visits the first has the highest, so that the rest need not be looked at.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts from float saturate")]
#[expect(clippy::cast_precision_loss, reason = "a selection needs no more than 24 bits")]
pub(super) fn select(children: &[Node], visits: u32, turn: Player, config: &MctsConfig) -> Selection {
    let root = (visits as f32).sqrt();
    let weights = Weights::new(turn, config.minimax_weight, config.cpuct * root);
    let admitted = (config.widening_start.max(1) as usize).saturating_add((config.widening_factor * root) as usize);
    let (admitted, rest) = children.split_at(admitted.min(children.len()));
    let mut best = (f32::NEG_INFINITY, None);
    let mut drawable = false;
    for (index, child) in (0..).zip(admitted) {
        if child.is_proven() {
            drawable |= child.proof().is_some_and(|proof| proof.outcome == Outcome::Draw);
            continue;
        }
        let score = child.score(weights);
        if score > best.0 {
            best = (score, Some(index));
        }
        if child.visits() == 0 {
            break;
        }
    }
    // When those admitted are all proven and the node is not, the next may still save it.
    let next = || (0..).zip(rest).find(|(_, child)| !child.is_proven()).map(|(index, _)| admitted.len() as u16 + index);
    Selection { child: best.1.or_else(next), drawable }
}

/// The children that have visits, and the best of the others.
///
/// Siblings lie in the order of their priors, which is that of their static values, and the selection takes the first
/// of those without visits when it takes any: they are the ones at the end, and the first of them stands for all.
pub(super) fn frontrunners(children: &[Node]) -> impl Iterator<Item = &Node> {
    children.iter().scan(true, |goes_on, child| {
        let is_due = std::mem::replace(goes_on, child.visits() > 0);
        is_due.then_some(child)
    })
}
