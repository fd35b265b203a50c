use super::follow_up::{FollowUp, View};
use super::in_flight::InFlight;
use super::table::{Bounds, NO_COLUMN, Table};
use crate::Book;
use crate::geometry::Geometry;

/// With so few free cells a position is searched again sooner than it is looked up.
const TABLE_LEFT: i32 = 5;
/// With so few free cells the successors are not looked up before they are searched.
const SUCCESSORS_LEFT: i32 = 8;
/// With so few free cells positions go to the near table: most are, and they come again soon.
const NEAR_LEFT: i32 = 17;
/// With so many free cells both sides almost always have room for a four.
const ROOM_LEFT: i32 = 32;
/// With so few free cells a look at what answers each move has takes longer than it saves.
const LOOK_LEFT: i32 = 16;
/// With so few stones, positions are looked up together with their mirror images.
const MIRROR_PLIES: i32 = 12;
/// With fewer free cells, threads search without a look at what the others search.
const IN_FLIGHT_LEFT: i32 = 17;
/// So many positions are searched before the next look whether to stop.
pub(super) const STOP_EVERY: u64 = 1 << 12;
/// Most columns of a board.
const COLUMNS: usize = 16;

/// State shared by the threads of a search.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) book: Option<&'a Book>,
    /// The positions being searched, if more than one thread searches.
    pub(super) in_flight: Option<&'a InFlight>,
    pub(super) stop: &'a (dyn Fn() -> bool + Sync),
}

/// One thread's search for scores.
pub(super) struct Search<'a, G> {
    geometry: G,
    shared: Shared<'a>,
    /// A table that fits the processor's own cache, for positions near the end.
    near: &'a Table,
    /// Columns from the centre outwards.
    order: [u64; COLUMNS],
    cells: i32,
    follow_up: FollowUp<G>,
    /// The free cells of the positions in the book.
    book_left: i32,
    pub(super) nodes: u64,
    /// The search was stopped, so its last result means nothing.
    pub(super) is_stopped: bool,
}

/// The moves to search, the best guess first.
#[derive(Default)]
struct Moves {
    cells: [u64; COLUMNS],
    ranks: [u32; COLUMNS],
    number: usize,
}

impl Moves {
    #[inline]
    fn insert(&mut self, cell: u64, rank: u32) {
        let mut at = self.number;
        while at > 0 && self.ranks[at - 1] < rank {
            self.cells[at] = self.cells[at - 1];
            self.ranks[at] = self.ranks[at - 1];
            at -= 1;
        }
        self.cells[at] = cell;
        self.ranks[at] = rank;
        self.number += 1;
    }
}

impl<'a, G: Geometry> Search<'a, G> {
    pub(super) fn new(geometry: G, shared: Shared<'a>, near: &'a Table) -> Self {
        let size = geometry.size();
        let mut order = [0; COLUMNS];
        for (place, column) in order.iter_mut().zip(size.from_centre()) {
            *place = geometry.column(column);
        }
        let cells = size.cells().cast_signed();
        let book_left = shared.book.map_or(-1, |book| cells - book.plies().cast_signed());
        let follow_up = FollowUp::new(geometry);
        Self { geometry, shared, near, order, cells, follow_up, book_left, nodes: 0, is_stopped: false }
    }

    /// Returns a bound of the score: at least `beta`, or at most `alpha`, or the score between them.
    ///
    /// The side to move cannot win at once.
    pub(super) fn search(&mut self, own: u64, stones: u64, mut alpha: i32, mut beta: i32) -> i32 {
        let left = self.cells - stones.count_ones().cast_signed();
        self.search_left(own, stones, left, &mut alpha, &mut beta)
    }

    fn search_left(&mut self, own: u64, stones: u64, left: i32, alpha: &mut i32, beta: &mut i32) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(STOP_EVERY) && (self.shared.stop)() {
            self.is_stopped = true;
        }
        let (geometry, opponent) = (self.geometry, own ^ stones);
        let table = self.table(left);
        if left > TABLE_LEFT {
            table.prefetch(own + stones);
        }
        let playable = geometry.playable(stones);
        let threats = geometry.fours(opponent, stones);
        let mut cells = playable & !(threats >> 1);
        let forced = playable & threats;
        if forced != 0 {
            cells &= if forced & (forced - 1) == 0 { forced } else { 0 };
        }
        if cells == 0 {
            return -left / 2;
        }
        if left <= 2 {
            return 0;
        }
        let (lower, upper) = (-(left - 2) / 2, (left - 1) / 2);
        if lower >= *beta || upper <= *alpha {
            return if lower >= *beta { lower } else { upper };
        }
        if left < ROOM_LEFT
            && let Some(bound) = self.bound_by_room(&View { own, opponent, stones, playable, threats }, alpha, *beta)
        {
            return bound;
        }
        if left == self.book_left
            && let Some(score) = self.shared.book.and_then(|book| book.score_of(geometry, own, stones))
        {
            return score;
        }
        let (key, is_mirrored) = self.key(own, stones, left);
        let mut bounds = Bounds { lower, upper, column: NO_COLUMN };
        if left > TABLE_LEFT
            && let Some(known) = table.get(key)
        {
            if known.lower >= *beta {
                return known.lower;
            }
            if known.upper <= *alpha {
                return known.upper;
            }
            bounds = if is_mirrored { self.mirrored(known) } else { known };
        }
        let Some(moves) = self.moves(own, stones, left, playable, cells, bounds.column) else {
            // Two wins at once cannot both be stopped.
            return upper;
        };
        if let Some(bound) = self.bound_by_successors(opponent, stones, left, &moves, *beta) {
            return bound;
        }
        if let Some(bound) = self.bound_by_answers(own, stones, left, &moves, *beta) {
            return bound;
        }
        let nodes_before = self.nodes;
        let (best, cell) = self.best(own, stones, left, &moves, *alpha, *beta);
        if left > TABLE_LEFT && !self.is_stopped {
            bounds.column = cell.trailing_zeros() / geometry.step();
            if best >= *beta {
                bounds.lower = bounds.lower.max(best);
            } else if best <= *alpha {
                bounds.upper = bounds.upper.min(best);
            } else {
                (bounds.lower, bounds.upper) = (best, best);
            }
            let bounds = if is_mirrored { self.mirrored(bounds) } else { bounds };
            table.set(key, bounds, (self.nodes - nodes_before + 1).ilog2());
        }
        best
    }

    /// Searches the moves until one reaches `beta`; returns the highest score and its cell.
    #[inline]
    fn best(&mut self, own: u64, stones: u64, left: i32, moves: &Moves, mut alpha: i32, beta: i32) -> (i32, u64) {
        let opponent = own ^ stones;
        let (mut best, mut best_cell) = (-i32::MAX, 0);
        let in_flight = self.shared.in_flight.filter(|_| left >= IN_FLIGHT_LEFT);
        let mut waiting = (1_u32 << moves.number) - 1;
        while waiting != 0 {
            let mut index = waiting.trailing_zeros();
            if let Some(in_flight) = in_flight
                && best_cell != 0
            {
                // What another thread searches now will be in the table later.
                let is_free = |&index: &u32| {
                    waiting >> index & 1 != 0 && !in_flight.has(opponent + (stones | moves.cells[index as usize]))
                };
                index = (index..u32::BITS - waiting.leading_zeros()).find(is_free).unwrap_or(index);
            }
            waiting &= !(1 << index);
            let cell = moves.cells[index as usize];
            let next = opponent + (stones | cell);
            in_flight.inspect(|it| it.enter(next));
            let score = -self.search_left(opponent, stones | cell, left - 1, &mut -beta, &mut -alpha);
            in_flight.inspect(|it| it.leave(next));
            if self.is_stopped {
                return (alpha, cell);
            }
            if score > best {
                (best, best_cell) = (score, cell);
            }
            if score >= beta {
                break;
            }
            alpha = alpha.max(score);
        }
        (best, best_cell)
    }

    /// Lists the moves, those that make most threats first; `None` if one of them makes two that can be played at once.
    #[inline]
    fn moves(&self, own: u64, stones: u64, left: i32, playable: u64, cells: u64, best: u32) -> Option<Moves> {
        let (geometry, opponent) = (self.geometry, own ^ stones);
        let mut moves = Moves::default();
        let (known, successors) = (geometry.fours(own, stones), self.table(left - 1));
        let best = if best == NO_COLUMN { 0 } else { geometry.column(best) };
        for index in 0..geometry.size().width() as usize {
            let cell = cells & self.order[index];
            if cell == 0 {
                continue;
            }
            if left > SUCCESSORS_LEFT {
                successors.prefetch(opponent + (stones | cell));
            }
            let fours = geometry.fours(own | cell, stones | cell);
            let wins = fours & ((playable ^ cell) | (cell << 1 & self.geometry.cells()));
            if wins & wins.wrapping_sub(1) != 0 {
                return None;
            }
            // The number of new threats, three at most, and quicker than by counting bits.
            let first = fours & !known;
            let second = first & first.wrapping_sub(1);
            let third = second & second.wrapping_sub(1);
            let rank = u32::from(first != 0) + u32::from(second != 0) + u32::from(third != 0);
            moves.insert(cell, if cell & best == 0 { rank } else { u32::MAX });
        }
        Some(moves)
    }

    /// Returns a bound that reaches `beta` if the table has one for a successor.
    #[inline]
    fn bound_by_successors(&self, opponent: u64, stones: u64, left: i32, moves: &Moves, beta: i32) -> Option<i32> {
        // Mirrored keys cost more than this saves.
        if left <= SUCCESSORS_LEFT || moves.number < 2 || self.cells - left < MIRROR_PLIES {
            return None;
        }
        let successors = self.table(left - 1);
        let cells = moves.cells[..moves.number].iter();
        let bounds = cells.filter_map(|cell| successors.get(opponent + (stones | cell)));
        bounds.map(|bounds| -bounds.upper).find(|&bound| bound >= beta)
    }

    /// Returns a bound outside the window, if one follows from the cells that each side can still get; may narrow the window.
    #[inline]
    fn bound_by_room(&self, view: &View, alpha: &mut i32, beta: i32) -> Option<i32> {
        if let Some(bound) = self.follow_up.bound(view, *alpha) {
            return Some(bound);
        }
        if *alpha < 0 && !self.geometry.has_four(view.opponent | (self.geometry.cells() ^ view.stones)) {
            *alpha = 0;
            if *alpha >= beta {
                return Some(0);
            }
        }
        None
    }

    /// Returns a bound that reaches `beta` if, after one of the moves, the answers of the side to move give it.
    #[inline]
    fn bound_by_answers(&self, own: u64, stones: u64, left: i32, moves: &Moves, beta: i32) -> Option<i32> {
        if !(LOOK_LEFT < left && left < ROOM_LEFT) {
            return None;
        }
        let geometry = self.geometry;
        let bound = |&cell: &u64| {
            let (opponent, after) = (own | cell, stones | cell);
            let (playable, threats) = (geometry.playable(after), geometry.fours(opponent, after));
            self.follow_up.bound(&View { own: own ^ stones, opponent, stones: after, playable, threats }, -beta)
        };
        moves.cells[..moves.number].iter().find_map(bound).map(|bound| -bound)
    }

    /// Returns what stands for a position in the table, and whether that is its mirror image.
    #[inline]
    fn key(&self, own: u64, stones: u64, left: i32) -> (u64, bool) {
        let key = own + stones;
        if self.cells - left > MIRROR_PLIES {
            return (key, false);
        }
        let mirrored = self.geometry.mirrored(own) + self.geometry.mirrored(stones);
        (key.min(mirrored), mirrored < key)
    }

    fn mirrored(&self, bounds: Bounds) -> Bounds {
        let column = self.geometry.size().width().wrapping_sub(1).wrapping_sub(bounds.column);
        Bounds { column: if bounds.column == NO_COLUMN { NO_COLUMN } else { column }, ..bounds }
    }

    #[inline]
    fn table(&self, left: i32) -> &'a Table {
        if left > NEAR_LEFT { self.shared.table } else { self.near }
    }
}
