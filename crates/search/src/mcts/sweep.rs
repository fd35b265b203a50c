use std::ops::Range;

use super::arena::Arena;
use super::node::Node;

/// Divisor of the places to free at a time: freeing more makes the search wait longer.
const SLICE: u32 = 64;

/// The initial minimum of visits for a node to keep its children.
const MIN: u32 = 4;

/// Makes room in a full tree: walks through it in parts, dropping the children of proven or seldom visited nodes. These
/// nodes keep the results of the visits below; a new visit gives them new children.
#[derive(Debug)]
pub(super) struct Sweep {
    /// Where to continue: the places left to check in each generation on the path.
    path: Vec<Range<u32>>,
    /// The minimum number of visits for a node to keep its children.
    least: u32,
    /// The places freed by this pass; `None` before the first.
    freed: Option<u32>,
}

impl Default for Sweep {
    fn default() -> Self {
        Self { path: Vec::new(), least: MIN, freed: None }
    }
}

impl Sweep {
    /// Restarts at the root.
    pub(super) fn restart(&mut self) {
        self.path.clear();
        self.freed = None;
    }

    /// Frees part of a tree's places with no search running; false when there is nothing to free.
    pub(super) fn run(&mut self, arena: &Arena) -> bool {
        let enough = arena.capacity() / SLICE;
        let (mut freed, mut parents) = (arena.free_retired(), 0);
        // A pass that frees little ends a slice early.
        while freed < enough && (freed == 0 || parents < enough / 8) {
            parents += 1;
            match self.next_parent(arena) {
                Some((node, _)) if node.is_proven() || node.visits() < self.least => freed += arena.forget(node),
                Some((_, children)) => self.path.push(children),
                None if freed > 0 => break,
                None if self.begin(arena) => {}
                None => return false,
            }
        }
        self.freed = self.freed.map(|before| before + freed);
        // Most of the tree is useful as it is.
        if arena.free_places() > 5 * enough {
            arena.join_free();
        }
        true
    }

    /// Returns the next node with children, and their places; `None` at the end of a pass.
    fn next_parent<'a>(&mut self, arena: &'a Arena) -> Option<(&'a Node, Range<u32>)> {
        while let Some(places) = self.path.last_mut() {
            let node = places.next().map(|place| &arena.block(place, 1)[0]);
            // After the first unvisited sibling, all are unvisited.
            let Some(node) = node.filter(|node| node.visits() > 0) else {
                self.path.pop();
                continue;
            };
            if let Some((first, count)) = node.children() {
                return Some((node, first..first + u32::from(count)));
            }
        }
        None
    }

    /// Begins a pass, with a higher minimum if the last one freed little; false if that minimum exceeded all visits and
    /// freed nothing.
    fn begin(&mut self, arena: &Arena) -> bool {
        if self.freed == Some(0) && self.least > arena.root().visits() {
            *self = Self::default();
            return false;
        }
        self.least = match self.freed {
            Some(freed) if freed < arena.capacity() / 4 => self.least.saturating_mul(2),
            Some(freed) if freed > arena.capacity() / 4 * 3 => (self.least / 2).max(MIN),
            _ => self.least,
        };
        self.freed = Some(0);
        self.path.extend(arena.root().children().map(|(first, count)| first..first + u32::from(count)));
        true
    }
}
