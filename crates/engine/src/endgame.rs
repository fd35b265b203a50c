use std::fmt;
use std::sync::Mutex;

use amazons_rules::Color;
use amazons_solve::{Bits, Filler, Graph, MoveBounds, Stones};

use crate::Game;
use crate::half_move::Cell;

/// Moves that a search may try for a count, on average; trying them takes about as long as a visit.
const CREDIT: u32 = 8;
/// The number of counts that each thread remembers.
const RESULTS: usize = 1 << 12;

/// Counts the moves that each side can make alone on one board, which proves the winner before the game is over.
///
/// Its proofs are always right; how much it can prove may depend on what it remembers.
pub struct Endgame(Counters);

/// A counter, with sets large enough for the board.
enum Counters {
    Tiny(Counter<1>),
    Small(Counter<2>),
    Medium(Counter<4>),
    Large(Counter<16>),
}

struct Counter<const W: usize> {
    graph: Graph<W>,
    /// The graph's indices of cells.
    indices: Vec<u16>,
    /// One per thread; a thread that finds no idle one does without.
    scratches: Vec<Mutex<Scratch<W>>>,
}

struct Scratch<const W: usize> {
    filler: Filler<W>,
    /// Moves that searches may still try for their counts.
    credit: u32,
}

/// The numbers to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Only what decides the winner.
    Winner,
    /// All of them.
    Numbers,
}

/// The work to spend on a count.
pub(crate) enum Effort<'a> {
    /// Little enough not to slow a search down.
    Little,
    /// At most this many new positions for each number, while the function, called for each move tried, returns true.
    Much(u64, &'a mut dyn FnMut() -> bool),
}

impl Endgame {
    /// Maximum number of positions of a region that a search may look at to count its moves.
    pub(crate) const NODES: u64 = 30;

    /// Prepares a game's board for searches on `threads` threads; `None` on boards of more than 1024 vertices.
    #[must_use]
    pub fn new<G: Game>(game: &G, threads: usize) -> Option<Self> {
        let counters = match game.board().vertex_count() {
            0..=64 => Counters::Tiny(Counter::new(game, threads)?),
            65..=128 => Counters::Small(Counter::new(game, threads)?),
            129..=256 => Counters::Medium(Counter::new(game, threads)?),
            _ => Counters::Large(Counter::new(game, threads)?),
        };
        Some(Self(counters))
    }

    /// Returns the proven winner of a state in which a step is due.
    #[must_use]
    pub fn winner<G: Game>(&self, game: &G, state: &G::State) -> Option<Color> {
        if !game.is_countable(state) {
            return None;
        }
        self.move_bounds(game, state, Wanted::Winner, Effort::Little).winner(game.side_to_move(state))
    }

    /// Bounds the moves that each side can make.
    pub(crate) fn move_bounds<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        wanted: Wanted,
        effort: Effort<'_>,
    ) -> MoveBounds {
        match &self.0 {
            Counters::Tiny(counter) => counter.move_bounds(game, state, wanted, effort),
            Counters::Small(counter) => counter.move_bounds(game, state, wanted, effort),
            Counters::Medium(counter) => counter.move_bounds(game, state, wanted, effort),
            Counters::Large(counter) => counter.move_bounds(game, state, wanted, effort),
        }
    }
}

impl fmt::Debug for Endgame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endgame").finish_non_exhaustive()
    }
}

impl<const W: usize> Counter<W> {
    /// Maximum number of moves that a search may try at once, if it has tried fewer before: some 3 ms, as clocks are not
    /// looked at meanwhile.
    const MAX_CREDIT: u32 = if W > 4 { 256 } else { 4096 };

    fn new<G: Game>(game: &G, threads: usize) -> Option<Self> {
        let graph = Graph::new(game.board(), |_| true).ok()?;
        let cells: Vec<Cell> = graph.vertices().iter().map(|&vertex| game.cell(vertex)).collect();
        let mut indices = vec![0; cells.iter().max().map_or(0, |&last| last as usize + 1)];
        for (index, cell) in (0..).zip(cells) {
            indices[cell as usize] = index;
        }
        let scratch = || Mutex::new(Scratch { filler: Filler::new(RESULTS), credit: Self::MAX_CREDIT });
        let scratches = std::iter::repeat_with(scratch).take(threads).collect();
        Some(Self { graph, indices, scratches })
    }

    fn move_bounds<G: Game>(&self, game: &G, state: &G::State, wanted: Wanted, effort: Effort<'_>) -> MoveBounds {
        let stones = Stones {
            free: self.set(game.free_cells(state)),
            queens: Color::ALL.map(|color| self.set(game.queen_cells(state, color))),
        };
        let mut idle = self.scratches.iter().find_map(|scratch| scratch.try_lock().ok());
        let Some(Scratch { filler, credit }) = idle.as_deref_mut() else { return self.graph.move_bounds(stones) };
        let mut spend = || {
            *credit = credit.saturating_sub(1);
            *credit > 0
        };
        let (nodes, go_on): (u64, &mut dyn FnMut() -> bool) = match effort {
            Effort::Little => (Endgame::NODES, &mut spend),
            Effort::Much(nodes, go_on) => (nodes, go_on),
        };
        let bounds = match wanted {
            Wanted::Winner => self.graph.sharp_bounds(stones, game.side_to_move(state), filler, nodes, go_on),
            Wanted::Numbers => self.graph.full_bounds(stones, filler, nodes, go_on),
        };
        *credit = (*credit + CREDIT).min(Self::MAX_CREDIT);
        bounds
    }

    fn set(&self, cells: impl Iterator<Item = Cell>) -> Bits<W> {
        let mut words = [0; W];
        for cell in cells {
            let index = usize::from(self.indices[cell as usize]);
            words[index / 64] |= 1 << (index % 64);
        }
        Bits::from_words(words)
    }
}
