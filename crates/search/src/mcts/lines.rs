//! Several lines at once, by repeatedly taking the best one out of the tree.

use super::MctsConfig;
use super::arena::Arena;
use super::node::Node;
use super::report::{Known, rank, variation};
use super::select::prove;
use crate::{Game, Player, SearchLine};

/// A node near the root, less the lines already taken.
struct Branch<'a> {
    node: &'a Node,
    known: Known,
    /// The side to move.
    turn: Player,
    /// The branches left below; empty where a line ends.
    below: Vec<Self>,
}

/// Returns the best lines from `game`, the root.
pub(super) fn lines<G: Game>(
    arena: &Arena,
    config: &MctsConfig,
    game: &G,
    plies: u32,
    count: usize,
) -> Vec<SearchLine<G::Move>> {
    let mut game = game.clone();
    let mut root = branch(arena, config, arena.root(), &mut game, plies, true);
    let mut found = Vec::new();
    while found.len() < count && !root.below.is_empty() {
        let mut path = Vec::new();
        root.take(&mut path);
        let (&last, above) = path.split_last().expect("a root with children has a line");
        let mut moves: Vec<G::Move> = above.iter().map(|node| G::unpack(node.packed())).collect();
        let mut before = game.clone();
        moves.iter().for_each(|&mv| before.play(mv));
        moves.extend(variation(arena, config, last, before));
        let Known { visits, value, proof } = Known::of(last, config);
        found.push(SearchLine { moves, value, visits: visits.into(), proof });
    }
    found
}

/// Collects the branches `plies` deep below a node. Unvisited moves are distinguished only at the root.
fn branch<'a, G: Game>(
    arena: &'a Arena,
    config: &MctsConfig,
    node: &'a Node,
    game: &mut G,
    plies: u32,
    is_root: bool,
) -> Branch<'a> {
    let children = if plies == 0 { &[] } else { arena.children(node) };
    let is_open = is_root || children.iter().any(|child| child.visits() > 0 || child.is_proven());
    let mut below = Vec::new();
    for child in children.iter().filter(|_| is_open) {
        let mv = G::unpack(child.packed());
        game.play(mv);
        below.push(branch(arena, config, child, game, plies - 1, false));
        game.undo(mv);
    }
    Branch { node, known: Known::of(node, config), turn: game.turn(), below }
}

impl<'a> Branch<'a> {
    /// Takes the best line out, writing its nodes to `path`; drop branches without a line.
    fn take(&mut self, path: &mut Vec<&'a Node>) -> Taken {
        let Some(&best) = rank(self.below.iter().map(|child| child.known), self.turn).first() else {
            return Taken { visits: self.known.visits, is_empty: true };
        };
        let child = &mut self.below[best];
        path.push(child.node);
        let taken = child.take(path);
        if taken.is_empty {
            self.below.remove(best);
        }
        self.known.visits = self.known.visits.saturating_sub(taken.visits);
        self.known.proof = prove(self.below.iter().map(|child| child.known.proof), self.turn);
        if let Some(&next) = rank(self.below.iter().map(|child| child.known), self.turn).first() {
            self.known.value = self.below[next].known.value;
        }
        Taken { is_empty: self.below.is_empty(), ..taken }
    }
}

/// The visits removed with a line.
struct Taken {
    visits: u32,
    /// Whether the branch is used up.
    is_empty: bool,
}
