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
pub(super) fn rank(siblings: impl Iterator<Item = Known>, turn: Player) -> Vec<usize> {
    let mut ranked: Vec<_> = standings(siblings, turn).into_iter().zip(0..).collect();
    ranked.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap_or(Ordering::Equal));
    ranked.into_iter().map(|(_, at)| at).collect()
}

/// Returns the standing of each sibling.
/// A drawn child gets no more visits; it goes first if the most visited one is worse than a draw.
fn standings(siblings: impl Iterator<Item = Known>, turn: Player) -> Vec<Standing> {
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
    siblings.iter().map(standing).collect()
}

/// Returns the best child, and its visits less those of the next one that is not lost; all without one.
fn leader<'a>(children: &'a [Node], turn: Player, config: &MctsConfig) -> Option<(&'a Node, u64)> {
    let standings = standings(children.iter().map(|child| Known::of(child, config)), turn);
    let order = |a: &usize, b: &usize| standings[*b].partial_cmp(&standings[*a]).unwrap_or(Ordering::Equal);
    let best = (0..children.len()).min_by(order)?;
    let next = (0..children.len()).filter(|&at| at != best && standings[at].class >= 0).min_by(order);
    let lead = next.map_or(u64::MAX, |next| children[best].visits().saturating_sub(children[next].visits()).into());
    Some((&children[best], lead))
}

/// Returns the progress of a search of `game` for the budget.
pub(super) fn progress<G: Game>(arena: &Arena, config: &MctsConfig, game: &G, nodes: u64, depth: u32) -> Progress {
    let turn = game.turn();
    let (best, mut lead) =
        leader(arena.children(arena.root()), turn, config).expect("a root that is searched has children");
    // The player may go on after its first move.
    let (mut game, mut next) = (game.clone(), best);
    loop {
        game.play(G::unpack(next.packed()));
        let is_own = game.turn() == turn && game.outcome().is_none();
        let Some((after, its_lead)) = leader(arena.children(next), turn, config).filter(|_| is_own) else { break };
        (next, lead) = (after, lead.min(its_lead));
    }
    Progress { nodes, depth, best: Some(best.packed()), value: best.value(config.minimax_weight), lead }
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
