use std::ops::Range;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use bytemuck::zeroed_slice_box;

use super::free::Free;
use super::node::{Node, Stats};
use super::select::visited_prefix;

/// Nodes per chunk: siblings are adjacent in one chunk, and no position has more of them.
const CHUNK: u32 = 1 << 16;

/// The nodes of a tree, in chunks allocated on first use; the root is in place 0.
#[derive(Debug)]
pub(super) struct Arena {
    chunks: Vec<OnceLock<Chunk>>,
    /// The first place that was never allocated.
    used: AtomicU32,
    /// Freed places before that.
    free: Mutex<Free>,
    /// Places to free once no search is running.
    retired: Mutex<Vec<(u32, u16)>>,
}

/// A range of places.
#[derive(Debug)]
struct Chunk {
    nodes: Box<[Node]>,
    stats: Box<[Stats]>,
}

/// Siblings that survive a compaction.
struct Block {
    old: u32,
    new: u32,
    count: u16,
}

impl Arena {
    /// The size of a node.
    const NODE_BYTES: usize = size_of::<Node>() + size_of::<Stats>();

    /// Makes an arena of at most `bytes` bytes of nodes, or one chunk.
    pub(super) fn new(bytes: usize) -> Self {
        let chunks = (bytes / (CHUNK as usize * Self::NODE_BYTES)).clamp(1, (u32::MAX / CHUNK) as usize - 1);
        let chunks = std::iter::repeat_with(OnceLock::new).take(chunks).collect();
        let arena = Self { chunks, used: 0.into(), free: Mutex::default(), retired: Mutex::default() };
        arena.clear();
        arena
    }

    /// Replaces all nodes by a fresh root; the memory stays.
    pub(super) fn clear(&self) {
        *self.free() = Free::default();
        self.retired().clear();
        self.used.store(1, Relaxed);
        self.root().set(0, 1.0, 0.0);
    }

    #[inline]
    pub(super) fn root(&self) -> &Node {
        &self.block(0, 1)[0]
    }

    /// Returns the nodes in `count` places from `first`, allocated by [`Arena::allocate`].
    #[inline]
    pub(super) fn block(&self, first: u32, count: u16) -> &[Node] {
        &self.chunk(first).nodes[places(first, count)]
    }

    /// Returns the statistics of the nodes in these places.
    #[inline]
    pub(super) fn stats(&self, first: u32, count: u16) -> &[Stats] {
        &self.chunk(first).stats[places(first, count)]
    }

    #[inline]
    fn chunk(&self, place: u32) -> &Chunk {
        self.chunks[(place / CHUNK) as usize].get_or_init(Chunk::new)
    }

    /// Returns the children of a node; empty for a leaf.
    #[inline]
    pub(super) fn children(&self, node: &Node) -> &[Node] {
        node.children().map_or(&[], |(first, count)| self.block(first, count))
    }

    /// Returns the place of the child after `packed`.
    pub(super) fn child(&self, place: u32, packed: u32) -> Option<u32> {
        let (first, count) = self.block(place, 1)[0].children()?;
        (first..).zip(self.block(first, count)).find(|(_, child)| child.packed() == packed).map(|(place, _)| place)
    }

    /// Allocates places for siblings; `None` when the arena is full.
    pub(super) fn allocate(&self, count: u16) -> Option<u32> {
        let mut used = self.used.load(Relaxed);
        loop {
            let first = fit(used, count);
            if (first / CHUNK) as usize >= self.chunks.len() {
                return self.free().take(count);
            }
            match self.used.compare_exchange_weak(used, first + u32::from(count), Relaxed, Relaxed) {
                Ok(_) => return Some(first),
                Err(now) => used = now,
            }
        }
    }

    /// Gives up places that other threads may still be using.
    pub(super) fn retire(&self, first: u32, count: u16) {
        self.retired().push((first, count));
    }

    /// Frees the places that were given up, with no search running; returns their number.
    pub(super) fn free_retired(&self) -> u32 {
        let retired = std::mem::take(&mut *self.retired());
        let mut free = self.free();
        retired.iter().for_each(|&(first, count)| free.put(first, count));
        retired.iter().map(|&(_, count)| u32::from(count)).sum()
    }

    /// Forgets all nodes below a node, with no search running; returns the number of their places.
    pub(super) fn forget(&self, node: &Node) -> u32 {
        let mut free = self.free();
        let before = free.places();
        let mut blocks: Vec<(u32, u16)> = node.children().into_iter().collect();
        node.release();
        while let Some((first, count)) = blocks.pop() {
            blocks.extend(visited_prefix(self.block(first, count)).filter_map(Node::children));
            free.put(first, count);
        }
        free.places() - before
    }

    /// Returns the number of freed places.
    pub(super) fn free_places(&self) -> u32 {
        self.free().places()
    }

    /// Joins adjacent runs of free places.
    pub(super) fn join_free(&self) {
        self.free().join(CHUNK);
    }

    fn free(&self) -> MutexGuard<'_, Free> {
        // A panic here ends the search and its tree.
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn retired(&self) -> MutexGuard<'_, Vec<(u32, u16)>> {
        self.retired.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the largest number of places.
    pub(super) fn capacity(&self) -> u32 {
        u32::try_from(self.chunks.len()).map_or(u32::MAX, |chunks| chunks * CHUNK)
    }

    /// Returns the places used, including gaps at the ends of chunks.
    pub(super) fn used(&self) -> u32 {
        let retired: u32 = self.retired().iter().map(|&(_, count)| u32::from(count)).sum();
        self.used.load(Relaxed) - self.free_places() - retired
    }

    /// Returns the bytes of the allocated chunks.
    pub(super) fn bytes(&self) -> usize {
        self.chunks.iter().filter(|chunk| chunk.get().is_some()).count() * CHUNK as usize * Self::NODE_BYTES
    }

    /// Makes the node in `place` the root, and moves all nodes below it to the front.
    ///
    /// In order of places, every block moves down or stays, so none is overwritten before it has moved.
    pub(super) fn compact(&mut self, place: u32) {
        self.root().copy_from(&self.block(place, 1)[0]);
        let blocks = self.live_blocks();
        let mut used = 1;
        for block in &blocks {
            let (from, to) = (self.block(block.old, block.count), self.block(block.new, block.count));
            for (from, to) in from.iter().zip(to) {
                to.copy_from(from);
            }
            let (from, to) = (self.stats(block.old, block.count), self.stats(block.new, block.count));
            for (from, to) in from.iter().zip(to) {
                to.copy_from(from);
            }
            used = block.new + u32::from(block.count);
        }
        let moved = |old: u32| blocks.binary_search_by_key(&old, |block| block.old).map(|at| blocks[at].new);
        let parents = blocks.iter().flat_map(|block| self.block(block.new, block.count));
        for parent in parents.chain([self.root()]) {
            if let Some((first, count)) = parent.children() {
                parent.publish(moved(first).expect("every block below the root moves"), count);
            }
        }
        *self.free() = Free::default();
        self.retired().clear();
        self.used.store(used, Relaxed);
    }

    /// Returns the blocks below the root in order of their places, with their new places.
    fn live_blocks(&self) -> Vec<Block> {
        let block_of = |(old, count)| Block { old, new: 0, count };
        let mut blocks: Vec<Block> = self.root().children().map(block_of).into_iter().collect();
        let mut next = 0;
        while next < blocks.len() {
            let Block { old, count, .. } = blocks[next];
            blocks.extend(visited_prefix(self.block(old, count)).filter_map(Node::children).map(block_of));
            next += 1;
        }
        blocks.sort_unstable_by_key(|block| block.old);
        let mut used = 1;
        for block in &mut blocks {
            block.new = fit(used, block.count);
            used = block.new + u32::from(block.count);
        }
        blocks
    }
}

/// Returns the first place from `used` on where `count` siblings fit in one chunk.
fn fit(used: u32, count: u16) -> u32 {
    if used % CHUNK + u32::from(count) <= CHUNK { used } else { used.next_multiple_of(CHUNK) }
}

/// Returns the indices of the places in their chunk.
#[inline]
fn places(first: u32, count: u16) -> Range<usize> {
    let start = (first % CHUNK) as usize;
    start..start + usize::from(count)
}

impl Chunk {
    /// Allocates memory that the system zeroes on first touch: zeroing a chunk here would take milliseconds at once.
    fn new() -> Self {
        Self { nodes: zeroed_slice_box(CHUNK as usize), stats: zeroed_slice_box(CHUNK as usize) }
    }
}
