use amazons_rules::Color;
use rustc_hash::FxHashMap;

use crate::{Bits, Graph, Region, Stones};

/// Free vertices of the largest region of one colour that is counted out.
const MAX_COUNTED: u32 = 10;

/// A position of a proof, by the rules that `docs/proofs.md` states: they are few, so that another program can check them.
///
/// The solver's own states judge more; nothing of them is used here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ruled<const W: usize> {
    pub(super) stones: Stones<W>,
    /// Moves off the board that Black has more than White.
    pub(super) spare: i32,
    pub(super) mover: Color,
}

/// A move on the board (from, to, arrow), or one off it.
pub(super) type Step = Option<[usize; 3]>;

/// The largest numbers of moves in regions of one colour.
pub(super) type Counts<const W: usize> = FxHashMap<[Bits<W>; 2], u32>;

impl<const W: usize> Ruled<W> {
    /// Takes regions off the board that no longer matter: those of one colour are worth the number of moves there.
    pub(super) fn settle(&mut self, graph: &Graph<W>, counts: &mut Counts<W>) {
        let mut kept = Stones { free: Bits::EMPTY, queens: [Bits::EMPTY; 2] };
        for region in graph.regions(self.stones) {
            match region.owner() {
                _ if region.free.is_empty() => continue,
                Some(color) if region.free.count() <= MAX_COUNTED => {
                    let moves = longest(graph, region.free, region.queens[color.index()], counts).cast_signed();
                    self.spare += if color == Color::Black { moves } else { -moves };
                    continue;
                }
                _ => {}
            }
            let Region { free, queens } = region;
            kept.free |= free;
            for color in [0, 1] {
                kept.queens[color] |= queens[color];
            }
        }
        self.stones = kept;
    }

    /// Returns whether a colour is sure to win: with moves where the other side cannot come, and spare ones, it has more
    /// moves than the other side's queens have free vertices within reach.
    pub(super) fn is_sure(&self, graph: &Graph<W>, color: Color) -> bool {
        let Stones { free, queens } = self.stones;
        let room = graph.reach(queens[color.opposite().index()], free) & free;
        let walk = graph.walk_length(free - room, queens[color.index()]).cast_signed();
        let spare = if color == Color::Black { self.spare } else { -self.spare };
        let surplus = walk + spare - room.count().cast_signed();
        surplus > 0 || (surplus == 0 && color != self.mover)
    }

    /// Returns all moves, in ascending order of queens, targets and arrows, and the one off the board at last.
    pub(super) fn steps(&self, graph: &Graph<W>) -> Vec<Step> {
        let mut steps = Vec::new();
        let free = self.stones.free;
        for from in self.stones.queens[self.mover.index()] {
            for to in graph.slides(from, free) {
                let lifted = (free | Bits::single(from)) - Bits::single(to);
                steps.extend(graph.slides(to, lifted).map(|arrow| Some([from, to, arrow])));
            }
        }
        if self.spare * if self.mover == Color::Black { 1 } else { -1 } > 0 {
            steps.push(None);
        }
        steps
    }

    /// Plays one of the moves.
    pub(super) fn play(&self, step: Step) -> Self {
        let mut next = *self;
        match step {
            Some([from, to, arrow]) => {
                let [from, to, arrow] = [from, to, arrow].map(Bits::single);
                next.stones.free = ((next.stones.free | from) - to) - arrow;
                let queens = &mut next.stones.queens[self.mover.index()];
                *queens = (*queens - from) | to;
            }
            None => next.spare -= if self.mover == Color::Black { 1 } else { -1 },
        }
        next.mover = self.mover.opposite();
        next
    }
}

/// Returns the largest number of moves that queens can make one after the other.
fn longest<const W: usize>(graph: &Graph<W>, free: Bits<W>, queens: Bits<W>, counts: &mut Counts<W>) -> u32 {
    if let Some(&known) = counts.get(&[free, queens]) {
        return known;
    }
    let mut best = 0;
    'moves: for from in queens {
        for to in graph.slides(from, free) {
            let lifted = (free | Bits::single(from)) - Bits::single(to);
            for arrow in graph.slides(to, lifted) {
                let moved = (queens - Bits::single(from)) | Bits::single(to);
                best = best.max(1 + longest(graph, lifted - Bits::single(arrow), moved, counts));
                // Each move takes a vertex.
                if best == free.count() {
                    break 'moves;
                }
            }
        }
    }
    counts.insert([free, queens], best);
    best
}
