use std::cmp::Ordering;

use super::MctsConfig;
use super::arena::Arena;
use super::node::Node;
use crate::{Game, Outcome, Player, Progress, Proof, RootMove, SearchReport};

/// A child's rank among its siblings; greater is better.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Standing {
    /// 1 for a proven win, −1 for a proven loss, 0 between.
    class: i8,
    /// Prefers sooner wins, later losses, otherwise more visits.
    order: i64,
    /// The mover's value.
    value: f32,
}

/// The criteria of a ranking.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) visits: u32,
    /// First's value.
    pub(super) value: f32,
    pub(super) proof: Option<Proof>,
}

impl Known {
    pub(super) fn of(node: &Node, config: &MctsConfig) -> Self {
        Self { visits: node.visits(), value: node.value(config.minimax_weight), proof: node.proof() }
    }
}

/// Returns the children of a node, best first: a win, then by visits, then by value; losses last.
fn ranking<'a>(children: &'a [Node], turn: Player, config: &MctsConfig) -> Vec<&'a Node> {
    let ranked = rank(children.iter().map(|child| Known::of(child, config)), turn);
    ranked.into_iter().map(|at| &children[at]).collect()
}

/// Returns the indices of siblings in the order of [`ranking`].
///
/// A drawn child gets no more visits; it goes first if the most visited one is worse than a draw.
pub(super) fn rank(siblings: impl Iterator<Item = Known>, turn: Player) -> Vec<usize> {
    let siblings: Vec<Known> = siblings.collect();
    let open = siblings.iter().filter(|known| known.proof.is_none());
    let favourite = open.reduce(|best, known| if known.visits > best.visits { known } else { best });
    let draw_is_better = favourite.is_none_or(|known| turn.sign() * known.value < 0.0);
    let standing = |known: &Known| {
        let (class, order) = match known.proof {
            None => (0, i64::from(known.visits)),
            Some(proof) if proof.outcome == Outcome::Draw => (0, if draw_is_better { i64::MAX } else { -1 }),
            Some(proof) if proof.outcome == Outcome::Win(turn) => (1, -i64::from(proof.plies)),
            Some(proof) => (-1, i64::from(proof.plies)),
        };
        Standing { class, order, value: turn.sign() * known.value }
    };
    let mut ranked: Vec<_> = siblings.iter().map(standing).zip(0..).collect();
    ranked.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap_or(Ordering::Equal));
    ranked.into_iter().map(|(_, at)| at).collect()
}

/// Returns the progress for the budget.
pub(super) fn progress(arena: &Arena, config: &MctsConfig, turn: Player, nodes: u64, depth: u32) -> Progress {
    let ranked = ranking(arena.children(arena.root()), turn, config);
    let best = ranked[0];
    let second = ranked.get(1).map_or(0, |second| second.visits());
    Progress {
        nodes,
        depth,
        best: Some(best.packed()),
        value: best.value(config.minimax_weight),
        lead: best.visits().saturating_sub(second).into(),
    }
}

/// Returns the result of a search of `game`, the root, whose children must exist.
pub(super) fn report<G: Game>(
    arena: &Arena,
    config: &MctsConfig,
    game: &G,
    nodes: u64,
    depth: u32,
) -> SearchReport<G::Move> {
    let root = arena.root();
    let ranked = ranking(arena.children(root), game.turn(), config);
    let best = ranked[0];
    let root_move = |child: &&Node| RootMove {
        mv: G::unpack(child.packed()),
        visits: child.visits().into(),
        value: child.value(config.minimax_weight),
        proof: child.proof(),
    };
    SearchReport {
        best: Some(G::unpack(best.packed())),
        value: root.proof().map_or_else(|| best.value(config.minimax_weight), |proof| proof.outcome.value()),
        principal_variation: variation(arena, config, best, game.clone()),
        nodes,
        depth,
        proof: root.proof(),
        moves: ranked.iter().map(root_move).collect(),
    }
}

/// Returns the best line that begins with `best`, as far as visited.
pub(super) fn variation<G: Game>(arena: &Arena, config: &MctsConfig, best: &Node, mut game: G) -> Vec<G::Move> {
    let mut line = Vec::new();
    let mut next = Some(best);
    while let Some(node) = next {
        let mv = G::unpack(node.packed());
        game.play(mv);
        line.push(mv);
        let ranked = ranking(arena.children(node), game.turn(), config);
        next = ranked.first().copied().filter(|child| child.visits() > 0);
    }
    line
}
