use amazons_rules::{Board, Color, Directions, Position, Vertex};
use thiserror::Error;

use crate::Bits;

/// The number of directions; labels count from 1.
const DIRECTIONS: usize = 8;

/// The position has more vertices without arrows than the largest set can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{found} vertices without an arrow are too many: at most {most}")]
pub struct TooManyVertices {
    /// The number of vertices.
    pub found: usize,
    /// The largest number allowed.
    pub most: usize,
}

/// Some vertices of a board, numbered consecutively from 0, with their neighbours and slides as sets.
///
/// Arrows never go away, so vertices that start with an arrow may be left out.
#[derive(Clone, Debug)]
pub struct Graph<const W: usize> {
    vertices: Vec<Vertex>,
    /// The vertices one step away.
    near: Vec<Bits<W>>,
    rays: Rays<W>,
}

/// The rays from each vertex to the edge of the board or the first missing vertex.
#[derive(Clone, Debug)]
enum Rays<const W: usize> {
    /// Indices rise along four rays and fall along four, as on every grid: the nearest stone is the first or last of a
    /// set.
    Sorted(Vec<Fan<W>>),
    /// A foreign numbering: rays are walked step by step.
    Unsorted(Vec<[Vec<usize>; DIRECTIONS]>),
}

#[derive(Clone, Debug)]
struct Fan<const W: usize> {
    rising: [Bits<W>; DIRECTIONS / 2],
    falling: [Bits<W>; DIRECTIONS / 2],
}

/// The stones of a position as sets of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stones<const W: usize> {
    /// The free vertices.
    pub free: Bits<W>,
    /// The vertices of each colour's queens, by [`Color::index`].
    pub queens: [Bits<W>; 2],
}

impl<const W: usize> Graph<W> {
    /// Takes the vertices of a board that `keep` selects, in ascending order. Fails when there are more than the sets
    /// can hold.
    pub fn new(board: &Board, keep: impl Fn(Vertex) -> bool) -> Result<Self, TooManyVertices> {
        let vertices: Vec<Vertex> = board.vertices().filter(|&vertex| keep(vertex)).collect();
        if vertices.len() > Bits::<W>::CAPACITY {
            return Err(TooManyVertices { found: vertices.len(), most: Bits::<W>::CAPACITY });
        }
        let rays = walk(board, &vertices);
        let near = rays.iter().map(|rays| rays.iter().filter_map(|ray| ray.first().copied()).collect()).collect();
        Ok(Self { vertices, near, rays: Rays::new(rays) })
    }

    /// Takes the vertices of a position without an arrow, and its stones. Fails when there are more than the sets can
    /// hold.
    pub fn of_position(position: &Position) -> Result<(Self, Stones<W>), TooManyVertices> {
        let is_queen = |vertex| position.queen_at(vertex).is_some();
        let graph = Self::new(position.board(), |vertex| position.is_free(vertex) || is_queen(vertex))?;
        let stones = graph.stones(position);
        Ok((graph, stones))
    }

    /// Returns the stones of a position on the same board; vertices not in the graph are skipped.
    pub fn stones(&self, position: &Position) -> Stones<W> {
        let set = |is_in: &dyn Fn(Vertex) -> bool| {
            (0..).zip(&self.vertices).filter(|&(_, &vertex)| is_in(vertex)).map(|(index, _)| index).collect()
        };
        Stones {
            free: set(&|vertex| position.is_free(vertex)),
            queens: Color::ALL.map(|color| set(&|vertex| position.queens(color).contains(&vertex))),
        }
    }

    /// Returns the number of vertices.
    pub const fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Returns whether there are no vertices.
    pub const fn is_empty(&self) -> bool {
        self.vertices.is_empty()
    }

    /// Returns the board's vertices in the order of their indices.
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// Returns the vertices one step away. Panics when the index is out of range.
    #[inline]
    pub fn near(&self, index: usize) -> Bits<W> {
        self.near[index]
    }

    /// Returns the vertices that a queen on a vertex sees. Panics when the index is out of range.
    #[inline]
    pub fn slides(&self, from: usize, free: Bits<W>) -> Bits<W> {
        match &self.rays {
            Rays::Sorted(fans) => fans[from].slides(free),
            Rays::Unsorted(rays) => rays[from]
                .iter()
                .flat_map(|ray| ray.iter().copied().take_while(|&index| free.contains(index)))
                .collect(),
        }
    }

    /// Returns the seeds and everything that steps from them reach within a set.
    #[inline]
    pub fn reach(&self, seeds: Bits<W>, through: Bits<W>) -> Bits<W> {
        self.reach_and_touch(seeds, through).0
    }

    /// Returns the reach and all its neighbours.
    #[inline]
    pub fn reach_and_touch(&self, seeds: Bits<W>, through: Bits<W>) -> (Bits<W>, Bits<W>) {
        let (mut reached, mut touched, mut waiting) = (seeds, Bits::EMPTY, seeds);
        while let Some(index) = waiting.next() {
            let near = self.near[index];
            let new = (near & through) - reached;
            touched |= near;
            reached |= new;
            waiting |= new;
        }
        (reached, touched)
    }

    /// Returns the rays from a vertex, nearest vertex first, in no particular order.
    pub(crate) fn rays_from(&self, from: usize) -> Vec<Vec<usize>> {
        match &self.rays {
            Rays::Sorted(fans) => fans[from].lists(),
            Rays::Unsorted(rays) => rays[from].iter().filter(|ray| !ray.is_empty()).cloned().collect(),
        }
    }
}

impl<const W: usize> Rays<W> {
    fn new(rays: Vec<[Vec<usize>; DIRECTIONS]>) -> Self {
        let fans: Option<Vec<Fan<W>>> = (0..).zip(&rays).map(|(from, rays)| Fan::new(from, rays)).collect();
        fans.map_or(Self::Unsorted(rays), Self::Sorted)
    }
}

impl<const W: usize> Fan<W> {
    /// Sorts the rays from a vertex; `None` unless indices rise or fall along each, and at most four of each kind.
    fn new(from: usize, rays: &[Vec<usize>; DIRECTIONS]) -> Option<Self> {
        let mut fan = Self { rising: [Bits::EMPTY; DIRECTIONS / 2], falling: [Bits::EMPTY; DIRECTIONS / 2] };
        let (mut rising, mut falling) = (fan.rising.iter_mut(), fan.falling.iter_mut());
        for ray in rays.iter().filter(|ray| !ray.is_empty()) {
            let whole = || std::iter::once(from).chain(ray.iter().copied());
            let slot = if whole().is_sorted() {
                rising.next()
            } else if whole().is_sorted_by(|a, b| a > b) {
                falling.next()
            } else {
                None
            };
            *slot? = ray.iter().copied().collect();
        }
        Some(fan)
    }

    #[inline]
    fn slides(&self, free: Bits<W>) -> Bits<W> {
        let mut seen = Bits::EMPTY;
        for &ray in &self.rising {
            seen |= ray & (ray - free).below_lowest();
        }
        for &ray in &self.falling {
            seen |= ray & (ray - free).above_highest();
        }
        seen
    }

    fn lists(&self) -> Vec<Vec<usize>> {
        let rising = self.rising.iter().map(|ray| ray.collect::<Vec<usize>>());
        let falling = self.falling.iter().map(|ray| {
            let mut list: Vec<usize> = ray.collect();
            list.reverse();
            list
        });
        rising.chain(falling).filter(|ray| !ray.is_empty()).collect()
    }
}

/// Follows every direction from every vertex to the end.
fn walk(board: &Board, vertices: &[Vertex]) -> Vec<[Vec<usize>; DIRECTIONS]> {
    let mut indices = vec![None; board.vertex_ids()];
    for (index, &vertex) in vertices.iter().enumerate() {
        indices[vertex as usize] = Some(index);
    }
    // Any fixed labels will do: they determine the order of moves.
    let csr = board.csr(Directions::Subject);
    let mut next = vec![[None; DIRECTIONS]; vertices.len()];
    for (row, &from) in indices.iter().enumerate() {
        let Some(from) = from else { continue };
        for (to, label) in csr.row(row) {
            next[from][label as usize - 1] = indices[to as usize];
        }
    }
    let ray = |from: usize, direction: usize| {
        std::iter::successors(next[from][direction], |&at: &usize| next[at][direction]).collect()
    };
    (0..vertices.len()).map(|from| std::array::from_fn(|direction| ray(from, direction))).collect()
}
