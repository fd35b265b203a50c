use std::cmp::Reverse;

use amazons_rules::{Color, Move, Position, Vertex};
use amazons_solve::{Bits, Filler, Graph, Stones};

use crate::analysis::{Fact, Measure};

/// Maximum number of facts about a move.
const MAX_FACTS: usize = 2;
/// Minimum number of squares of a closed region that the other side could reach before.
const MIN_CLOSED: u32 = 5;
/// Maximum number of squares that an enclosed queen reaches.
const MAX_ENCLOSED: u32 = 5;
/// Minimum number of squares that a queen no longer reaches when it is enclosed.
const MIN_LOST: u32 = 4;
/// Minimum gain, in the difference between the sides, for which no other measure is tried.
const CLEAR_GAIN: u32 = 3;
/// Maximum number of positions searched for each count of moves.
const MAX_NODES: u64 = 100;
/// Maximum number of moves tried to count moves, divided by the words of a set.
const MAX_TRIES: usize = 8000;

/// Returns the facts that tell most about a move, at most two, by the numbers that docs/analysis.md defines.
///
/// With a better move, they are what the move gave to the other side, and what the better one would have gained or
/// kept. A position with more than 4,096 squares without an arrow has none. May panic when a move is illegal.
pub fn facts(before: &Position, played: Move, better: Option<Move>) -> Vec<Fact> {
    let is_live = |&vertex: &Vertex| before.is_free(vertex) || before.queen_at(vertex).is_some();
    match before.board().vertices().filter(is_live).take(4097).count() {
        0..=64 => facts_on::<1>(before, played, better),
        65..=128 => facts_on::<2>(before, played, better),
        129..=256 => facts_on::<4>(before, played, better),
        257..=1024 => facts_on::<16>(before, played, better),
        1025..=4096 => facts_on::<64>(before, played, better),
        _ => Vec::new(),
    }
}

fn facts_on<const W: usize>(before: &Position, played: Move, better: Option<Move>) -> Vec<Fact> {
    let Ok((graph, stones)) = Graph::<W>::of_position(before) else { return Vec::new() };
    let start = Survey { graph: &graph, stones, position: before.clone() };
    let mover = before.side_to_move();
    let left = start.after(played);
    let given = left.changes(&start, None);
    let mut told = Vec::new();
    if let Some(mv) = better {
        let (text, kept) = (before.board().move_text(mv), start.after(mv));
        let gained = kept.changes(&start, Some(&text));
        for change in given.iter().filter(|change| change.is_news(mover.opposite(), &gained)) {
            told.push(change.clone());
            told.extend(kept.avoided(change, &text));
        }
        told.extend(gained.iter().filter(|change| change.is_news(mover, &given)).cloned());
        told.extend(kept.comparison(&left, mover, text));
    } else {
        let known = start.winner().map(|(winner, _)| winner);
        told.extend(given.into_iter().filter(|new| new.subject != Subject::Moves || Some(new.good_for) != known));
    }
    // A stable sort: what the better move keeps follows what was lost.
    told.sort_by_key(|change| Reverse(change.weight));
    told.into_iter().map(|change| change.fact).take(MAX_FACTS).collect()
}

/// A fact with what decides whether it is told.
#[derive(Clone)]
struct Change {
    weight: u32,
    good_for: Color,
    subject: Subject,
    fact: Fact,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Moves,
    Region,
    /// A queen's number among those of its colour.
    Queen(usize),
    Count,
}

impl Change {
    /// Returns whether the change is good for a side, and the other move brings nothing like it.
    fn is_news(&self, good_for: Color, others: &[Self]) -> bool {
        let is_like =
            |other: &Self| other.good_for == good_for && other.subject == self.subject && other.weight >= self.weight;
        self.good_for == good_for && !others.iter().any(is_like)
    }
}

/// A position after one move or none, on the graph of the squares that had no arrow before.
struct Survey<'a, const W: usize> {
    graph: &'a Graph<W>,
    stones: Stones<W>,
    position: Position,
}

impl<const W: usize> Survey<'_, W> {
    fn after(&self, mv: Move) -> Self {
        let mut position = self.position.clone();
        position.play_unchecked(mv);
        Self { graph: self.graph, stones: self.graph.stones(&position), position }
    }

    /// Returns what the last move changed for both sides.
    fn changes(&self, start: &Self, better: Option<&str>) -> Vec<Change> {
        let (better, Stones { free, queens }) = (better.map(str::to_owned), self.stones);
        let mut found = Vec::new();
        if let Some((winner, [sure, held])) = self.winner() {
            let fact = Fact::Moves { better: better.clone(), winner, sure, held };
            found.push(Change { weight: u32::MAX, good_for: winner, subject: Subject::Moves, fact });
        }
        for color in Color::ALL {
            let (own, others) = (queens[color.index()], queens[color.opposite().index()]);
            let before = start.stones;
            let was_open = self.graph.reach(before.queens[color.opposite().index()], before.free) & before.free;
            let mut alone = (self.graph.reach(own, free) & free) - self.graph.reach(others, free);
            while let Some(first) = alone.lowest() {
                let region = self.graph.reach(Bits::single(first), free);
                alone -= region;
                let closed = (region & was_open).count();
                if closed >= MIN_CLOSED {
                    let sealed = !self.graph.reach(region, free | own | others).meets(others);
                    let fact = Fact::Region { better: better.clone(), owner: color, squares: region.count(), sealed };
                    found.push(Change { weight: closed, good_for: color, subject: Subject::Region, fact });
                }
            }
            for (index, (&from, &queen)) in start.queens(color).iter().zip(self.queens(color)).enumerate() {
                let squares = self.reach(queen, own);
                if squares > MAX_ENCLOSED || start.reach(from, before.queens[color.index()]) < squares + MIN_LOST {
                    continue;
                }
                let sealed = self.reach(queen, own | others) == squares;
                let square = self.position.board().square(queen);
                let fact = Fact::Enclosed { better: better.clone(), color, square, squares, sealed };
                let weight = 4 * (1 + MAX_ENCLOSED - squares);
                found.push(Change { weight, good_for: color.opposite(), subject: Subject::Queen(index), fact });
            }
        }
        found
    }

    fn queens(&self, color: Color) -> &[Vertex] {
        self.position.queens(color)
    }

    /// Returns how many free squares a queen comes to by steps through free squares and `queens`.
    fn reach(&self, queen: Vertex, queens: Bits<W>) -> u32 {
        let at = self.graph.vertices().binary_search(&queen).map_or(Bits::EMPTY, Bits::single);
        (self.graph.reach(at, self.stones.free | queens) & self.stones.free).count()
    }

    /// Returns the side that wins by counting, the moves that it is sure of, and those that the other then has at most.
    fn winner(&self) -> Option<(Color, [u32; 2])> {
        let mut left = MAX_TRIES / W;
        let mut go_on = || {
            left = left.saturating_sub(1);
            left > 0
        };
        let (side, mut filler) = (self.position.side_to_move(), Filler::new(MAX_TRIES / W));
        let bounds = self.graph.sharp_bounds(self.stones, side, &mut filler, MAX_NODES, &mut go_on);
        let winner = bounds.winner(side)?;
        let of = |color: Color| bounds.moves[color.index()];
        Some((winner, [of(winner).lower, of(winner.opposite()).upper]))
    }

    /// Returns what the better move, which led here, keeps for a queen that the move played encloses.
    fn avoided(&self, change: &Change, better: &str) -> Option<Change> {
        let Subject::Queen(index) = change.subject else { return None };
        let color = change.good_for.opposite();
        let queen = self.queens(color)[index];
        let squares = self.reach(queen, self.stones.queens[color.index()]);
        let square = self.position.board().square(queen);
        let fact = Fact::Reach { better: better.to_owned(), color, square, squares };
        (squares > MAX_ENCLOSED).then(|| Change { fact, ..change.clone() })
    }

    /// Returns the first measure by which the better move, which led here, is clearly better, or else by which it is
    /// better.
    fn comparison(&self, left: &Self, mover: Color, better: String) -> Option<Change> {
        let counts = Measure::ALL.map(|of| {
            let [kept, left] =
                [self, left].map(|survey| [mover, mover.opposite()].map(|color| survey.count(of, color)));
            (of, kept, left)
        });
        let gains = |least: u32| counts.iter().find(|(_, kept, left)| kept[0] + left[1] >= left[0] + kept[1] + least);
        let &(of, kept, left) = gains(CLEAR_GAIN).or_else(|| gains(1))?;
        let fact = Fact::Comparison { of, better, mover, kept, left };
        Some(Change { weight: 0, good_for: mover, subject: Subject::Count, fact })
    }

    fn count(&self, of: Measure, color: Color) -> u32 {
        let (graph, Stones { free, queens }) = (self.graph, self.stones);
        let sides = [queens[color.index()], queens[color.opposite().index()]];
        let steps = |at: usize| graph.near(at) & free;
        match of {
            Measure::NearerInMoves => nearer(sides, |at| graph.slides(at, free)),
            Measure::NearerInSteps => nearer(sides, steps),
            // Nobody else is near.
            Measure::ThreeSteps => {
                let grown = (0..3).fold(sides[0], |within, _| within.map(steps).fold(within, |all, near| all | near));
                (grown & free).count()
            }
            Measure::Ways => sides[0].map(|queen| graph.slides(queen, free).count()).sum(),
        }
    }
}

/// Counts what the first of two sets reaches in fewer moves than the second.
fn nearer<const W: usize>(sides: [Bits<W>; 2], moves: impl Fn(usize) -> Bits<W>) -> u32 {
    let (mut count, mut seen, mut layers) = (0, sides, sides);
    while !layers[0].is_empty() {
        for side in [0, 1] {
            let next = layers[side].map(&moves).fold(Bits::EMPTY, |all, near| all | near);
            layers[side] = next - seen[side];
            seen[side] |= next;
        }
        count += (layers[0] - seen[1]).count();
    }
    count
}
