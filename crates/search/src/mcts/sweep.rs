use std::ops::Range;

use super::arena::Arena;
use super::node::Node;

/// The part of a tree's places that is made free at a time: the larger, the longer the search waits.
const SLICE: u32 = 64;

/// The fewest visits with which a node keeps its children, at first.
const LEAST: u32 = 4;

/// Makes room in a full tree: walks through it, a part at a time, and forgets the children of nodes that are proven or
/// were seldom visited. These nodes keep what the visits below them found; whichever is visited again gets new children.
#[derive(Debug)]
pub(super) struct Sweep {
    /// Where it goes on: of each generation on the way there, the places that it has not looked at.
    path: Vec<Range<u32>>,
    /// The fewest visits with which a node keeps its children.
    least: u32,
    /// The places that this pass has made free; `None` before the first.
    freed: Option<u32>,
}

impl Default for Sweep {
    fn default() -> Self {
        Self { path: Vec::new(), least: LEAST, freed: None }
    }
}

impl Sweep {
    /// Begins again at the root.
    pub(super) fn restart(&mut self) {
        self.path.clear();
        self.freed = None;
    }

    /// Frees a part of the places of a tree that nobody searches; false when there is nothing to be freed.
    pub(super) fn run(&mut self, arena: &Arena) -> bool {
        let enough = arena.capacity() / SLICE;
        let (mut freed, mut parents) = (0, 0);
        // A pass that frees little ends a slice before it has enough.
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
        // Most of it is of use as it is.
        if arena.free_places() > 5 * enough {
            arena.join_free();
        }
        true
    }

    /// The next node that has children, and their places; none at the end of a pass.
    fn next_parent<'a>(&mut self, arena: &'a Arena) -> Option<(&'a Node, Range<u32>)> {
        while let Some(places) = self.path.last_mut() {
            let node = places.next().map(|place| &arena.block(place, 1)[0]);
            // Behind one without visits all are without.
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

    /// Begins a pass, which asks for more visits if the last one freed little; false when that one asked for more than
    /// there are and freed nothing.
    fn begin(&mut self, arena: &Arena) -> bool {
        if self.freed == Some(0) && self.least > arena.root().visits() {
            *self = Self::default();
            return false;
        }
        self.least = match self.freed {
            Some(freed) if freed < arena.capacity() / 4 => self.least.saturating_mul(2),
            Some(freed) if freed > arena.capacity() / 4 * 3 => (self.least / 2).max(LEAST),
            _ => self.least,
        };
        self.freed = Some(0);
        self.path.extend(arena.root().children().map(|(first, count)| first..first + u32::from(count)));
        true
    }
}
