use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::lines::{AXES, Span, Word};
use crate::{Board, Color, Csr, Directions, Move, Vertex};

/// A board with queens and arrows, and the side to move.
#[derive(Debug)]
pub struct Position {
    board: Arc<Board>,
    /// The board's line bits with all queens and arrows set.
    words: Vec<Word>,
    /// Black's queens, then White's; a queen keeps its index.
    queens: Vec<Vertex>,
    black_queens: usize,
    side_to_move: Color,
    move_number: u32,
}

/// Why stones cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// A stone is not on a vertex.
    NotAVertex(Vertex),
    /// Two stones are on one vertex.
    Occupied(Vertex),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAVertex(vertex) => write!(f, "{vertex} is not a vertex of the board"),
            Self::Occupied(vertex) => write!(f, "vertex {vertex} has two stones"),
        }
    }
}

impl Error for PositionError {}

impl Position {
    /// Sets up the queens of the board's shape, Black to move.
    ///
    /// A board without a shape has no starting queens: the side to move is blocked at once.
    pub fn start(board: Arc<Board>) -> Self {
        let queens = board.starting_queens();
        Self::new(board, queens, &[], Color::Black).expect("every shape has room for its queens")
    }

    /// Sets up the given stones; `queens` holds Black's first. Fails when a stone is in a hole, outside the board or on
    /// another stone.
    pub fn new(
        board: Arc<Board>,
        queens: [Vec<Vertex>; 2],
        arrows: &[Vertex],
        side_to_move: Color,
    ) -> Result<Self, PositionError> {
        let words = board.lines().walls().to_vec();
        let black_queens = queens[0].len();
        let queens = queens.concat();
        let mut position = Self { board, words, queens, black_queens, side_to_move, move_number: 1 };
        for index in 0..position.queens.len() {
            position.put_stone(position.queens[index])?;
        }
        for &arrow in arrows {
            position.put_stone(arrow)?;
        }
        Ok(position)
    }

    fn put_stone(&mut self, vertex: Vertex) -> Result<(), PositionError> {
        if !self.board.is_vertex(vertex) {
            return Err(PositionError::NotAVertex(vertex));
        }
        if !self.is_free(vertex) {
            return Err(PositionError::Occupied(vertex));
        }
        self.toggle(vertex);
        Ok(())
    }

    /// Returns the board.
    #[inline]
    pub const fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// Returns the colour to move.
    #[inline]
    pub const fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Returns the number of the full move as position text counts: 1 at first, one more after each move of Black.
    pub const fn move_number(&self) -> u32 {
        self.move_number
    }

    pub(crate) const fn set_move_number(&mut self, number: u32) {
        self.move_number = number;
    }

    /// Returns the vertices of a colour's queens; a queen keeps its index when it moves.
    #[inline]
    pub fn queens(&self, color: Color) -> &[Vertex] {
        let (black, white) = self.queens.split_at(self.black_queens);
        match color {
            Color::Black => black,
            Color::White => white,
        }
    }

    /// Returns the colour of the queen on a vertex.
    pub fn queen_at(&self, vertex: Vertex) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.queens(color).contains(&vertex))
    }

    /// Returns whether the id is a vertex without a stone.
    #[inline]
    pub fn is_free(&self, id: Vertex) -> bool {
        (id as usize) < self.board.vertex_ids() && self.board.lines().is_free(&self.words, id)
    }

    /// Returns the number of vertices without a stone.
    pub fn free_vertices(&self) -> usize {
        self.board.vertices().filter(|&vertex| self.is_free(vertex)).count()
    }

    /// Returns the vertices that arrows hit, in ascending order.
    pub fn arrows(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.board.vertices().filter(|&vertex| !self.is_free(vertex) && self.queen_at(vertex).is_none())
    }

    /// Returns the board's matrix with every arrow turned into a hole, because arrows never go away.
    ///
    /// With it, players, which only know graphs and queens, can start from any position.
    pub fn csr_without_arrows(&self, directions: Directions) -> Csr {
        let csr = self.board.csr(directions);
        let mut is_arrow = vec![false; csr.rows()];
        self.arrows().for_each(|arrow| is_arrow[arrow as usize] = true);
        if !is_arrow.contains(&true) {
            return csr;
        }
        let is_edge = |from: usize, to: Vertex| !is_arrow[from] && !is_arrow[to as usize];
        Csr::from_rows((0..csr.rows()).map(|from| csr.row(from).filter(move |&(to, _)| is_edge(from, to))))
    }

    /// Returns whether the side to move has a legal move.
    #[inline]
    pub fn has_moves(&self) -> bool {
        let lines = self.board.lines();
        // A queen that can step can shoot back to its origin.
        self.queens(self.side_to_move).iter().any(|&queen| lines.has_free_neighbor(&self.words, queen))
    }

    /// Returns whether the side to move has one legal move and no other.
    pub fn has_one_move(&self) -> bool {
        let targets = |&from: &Vertex| self.slides(from).flatten().map(move |&to| (from, to));
        let shots = |(from, to)| self.shots(from, to).flatten();
        self.queens(self.side_to_move).iter().flat_map(targets).flat_map(shots).take(2).count() == 1
    }

    /// Returns the free vertices seen from a vertex, one slice for each direction that has some.
    ///
    /// A slice follows the line, so it runs outwards from the vertex or towards it. Panics when the id is a hole or
    /// outside the board.
    #[inline]
    pub fn slides(&self, from: Vertex) -> Slides<'_> {
        assert!(self.board.is_vertex(from), "{from} is not a vertex of the board");
        let lines = self.board.lines();
        Slides { position: self, places: lines.places(from), spans: lines.spans(&self.words, from), next: 0 }
    }

    /// Returns the vertices that the arrow can hit after a queen's step, as [`Position::slides`] does. Panics when an
    /// id is a hole or outside the board.
    #[inline]
    pub fn shots(&self, from: Vertex, to: Vertex) -> Slides<'_> {
        assert!(self.board.is_vertex(from), "{from} is not a vertex of the board");
        let slides = self.slides(to);
        Slides { spans: self.board.lines().spans_without(&self.words, to, from), ..slides }
    }

    /// Returns whether the arrow of a legal move lands on the vertex that its queen leaves, or passes it. Panics when
    /// the move's target is a hole or outside the board.
    pub fn shoots_back(&self, mv: Move) -> bool {
        // The queen still stands there.
        !self.slides(mv.to).any(|slide| slide.contains(&mv.arrow))
    }

    /// Returns the move that may lead to a position on the same board, by the differences: whether it is legal, and leads
    /// there, is for the caller to check.
    pub fn move_to(&self, after: &Self) -> Option<Move> {
        let (old, new) = (self.queens(self.side_to_move()), after.queens(self.side_to_move()));
        let from = *old.iter().find(|queen| !new.contains(queen))?;
        let to = *new.iter().find(|queen| !old.contains(queen))?;
        let was_open = |vertex| self.is_free(vertex) || vertex == from;
        let is_arrow = |&id: &Vertex| was_open(id) && !after.is_free(id) && id != to;
        Some(Move { from, to, arrow: self.board.vertices().find(is_arrow)? })
    }

    /// Plays a move without checking that it is legal.
    ///
    /// An illegal move leaves the position invalid. May panic when the move is not legal.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        self.relocate(self.side_to_move, mv.from, mv.to);
        self.toggle(mv.from);
        self.toggle(mv.to);
        self.toggle(mv.arrow);
        // A position text may begin at any number; undo must return to it.
        self.move_number = self.move_number.wrapping_add(u32::from(self.side_to_move == Color::Black));
        self.side_to_move = self.side_to_move.opposite();
    }

    /// Undoes the last move.
    ///
    /// Any other move leaves the position invalid. May panic when the move is not the last one played.
    pub fn undo(&mut self, mv: Move) {
        self.side_to_move = self.side_to_move.opposite();
        self.move_number = self.move_number.wrapping_sub(u32::from(self.side_to_move == Color::Black));
        self.toggle(mv.arrow);
        self.toggle(mv.to);
        self.toggle(mv.from);
        self.relocate(self.side_to_move, mv.to, mv.from);
    }

    #[inline]
    fn relocate(&mut self, color: Color, from: Vertex, to: Vertex) {
        let (black, white) = self.queens.split_at_mut(self.black_queens);
        let own = match color {
            Color::Black => black,
            Color::White => white,
        };
        let queen = own.iter_mut().find(|queen| **queen == from).expect("the side to move has a queen there");
        *queen = to;
    }

    #[inline]
    fn toggle(&mut self, vertex: Vertex) {
        self.board.lines().toggle(&mut self.words, vertex);
    }

    #[inline]
    pub(crate) fn words(&self) -> &[Word] {
        &self.words
    }
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Self {
            board: Arc::clone(&self.board),
            words: self.words.clone(),
            queens: self.queens.clone(),
            black_queens: self.black_queens,
            side_to_move: self.side_to_move,
            move_number: self.move_number,
        }
    }

    /// Reuses the memory of `self`, so searches can copy positions without allocating.
    fn clone_from(&mut self, source: &Self) {
        self.board.clone_from(&source.board);
        self.words.clone_from(&source.words);
        self.queens.clone_from(&source.queens);
        self.black_queens = source.black_queens;
        self.side_to_move = source.side_to_move;
        self.move_number = source.move_number;
    }
}

impl PartialEq for Position {
    /// Positions are equal if they have the same or an equal board, equal stones, queens in the same order, and the
    /// same turn.
    fn eq(&self, other: &Self) -> bool {
        let same_board = Arc::ptr_eq(&self.board, &other.board) || self.board.is_same(&other.board);
        same_board
            && self.words == other.words
            && self.queens == other.queens
            && self.black_queens == other.black_queens
            && self.side_to_move == other.side_to_move
            && self.move_number == other.move_number
    }
}

impl Eq for Position {}

/// The iterator of [`Position::slides`].
#[derive(Clone, Debug)]
pub struct Slides<'a> {
    position: &'a Position,
    places: [u32; AXES],
    spans: [Span; AXES],
    next: usize,
}

impl<'a> Iterator for Slides<'a> {
    type Item = &'a [Vertex];

    #[inline]
    fn next(&mut self) -> Option<&'a [Vertex]> {
        while self.next < 2 * AXES {
            let (axis, outwards) = (self.next / 2, self.next % 2 == 1);
            self.next += 1;
            let (place, span) = (self.places[axis], self.spans[axis]);
            let (below, above) = if outwards { (place, span.above) } else { (span.below, place) };
            if below + 1 < above {
                return Some(self.position.board.lines().between(below, above));
            }
        }
        None
    }
}
