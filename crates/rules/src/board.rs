use std::error::Error;
use std::{fmt, mem};

use crate::lines::{AXES, Lines};
use crate::placement;
use crate::{Csr, Directions, Shape, Vertex};

/// The labels of the boards built here. They determine the order of lines, generated moves and random choices, so they
/// never change: a seed gives the same games and counts, whatever numbering players get.
const LABELS: Directions = Directions::Subject;

/// The largest label of an edge.
const LAST_DIRECTION: usize = 2 * AXES;

/// A graph whose edges are labelled with directions, and the layout of its vertices in rows and columns.
///
/// Vertices are numbered row by row from the top left corner. A vertex without edges is a hole.
#[derive(Clone, Debug)]
pub struct Board {
    columns: u32,
    rows: u32,
    grid: Option<Grid>,
    vertex_count: usize,
    csr: Csr,
    lines: Lines,
}

/// The origin of a board not made from a matrix.
#[derive(Clone, Copy, Debug)]
struct Grid {
    shape: Option<Shape>,
}

/// Why a board cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// The size of a shape is out of range.
    Size(u32),
    /// A rectangle has no vertices or too many.
    Rectangle {
        /// Number of columns.
        columns: u32,
        /// Number of rows.
        rows: u32,
    },
    /// The matrix is not in CSR form or not square, or its size does not match the layout.
    Matrix {
        /// Number of rows of the matrix.
        rows: usize,
        /// Number of columns of the matrix.
        columns: usize,
        /// Number of vertices in a row of the layout.
        width: u32,
    },
    /// A label is not a direction.
    Label {
        /// The start of the edge.
        from: Vertex,
        /// The end of the edge.
        to: Vertex,
        /// Its label.
        label: u32,
    },
    /// Two edges leave a vertex in one direction.
    Ambiguous {
        /// The start of the edges.
        from: Vertex,
        /// Their label.
        label: u32,
    },
    /// An edge has no reverse edge, or one not labelled with the opposite direction.
    NoWayBack {
        /// The start of the edge.
        from: Vertex,
        /// The end of the edge.
        to: Vertex,
        /// Its label.
        label: u32,
    },
    /// A line closes on itself: a slide would return to its start.
    Circle {
        /// A vertex of the line.
        vertex: Vertex,
        /// A direction of the line.
        label: u32,
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (min, max) = (Board::MIN_SIZE, Board::MAX_SIZE);
        match self {
            Self::Size(m) => write!(f, "board size {m} is out of range: use {min} to {max}"),
            Self::Rectangle { columns, rows } => {
                write!(f, "a board of {columns} x {rows} is out of range: use 1 x 1 to {max} x {max}")
            }
            Self::Matrix { rows, columns, width } => write!(
                f,
                "the graph is a {rows} x {columns} matrix: give a square CSR matrix with a whole number of rows of {width}"
            ),
            Self::Label { from, to, label } => {
                write!(f, "edge {from} -> {to} has label {label}: directions are 1 to 8")
            }
            Self::Ambiguous { from, label } => write!(f, "two edges leave vertex {from} in direction {label}"),
            Self::NoWayBack { from, to, label } => {
                write!(f, "edge {from} -> {to} in direction {label} has no edge back in one opposite direction")
            }
            Self::Circle { vertex, label } => {
                write!(f, "direction {label} runs in a circle through vertex {vertex}")
            }
        }
    }
}

impl Error for BoardError {}

impl Board {
    /// The smallest m of a shape.
    pub const MIN_SIZE: u32 = 5;
    /// The largest m of a shape, and the largest side of a rectangle.
    pub const MAX_SIZE: u32 = 1000;

    /// Builds the m x m board of a shape. Fails with [`BoardError::Size`] unless m is within [`Board::MIN_SIZE`] and
    /// [`Board::MAX_SIZE`].
    pub fn new(shape: Shape, m: u32) -> Result<Self, BoardError> {
        if !(Self::MIN_SIZE..=Self::MAX_SIZE).contains(&m) {
            return Err(BoardError::Size(m));
        }
        let csr = grid(m, m, LABELS, |row, column| !shape.has_hole(m, row, column));
        Self::with_layout(csr, m, Some(Grid { shape: Some(shape) }))
    }

    /// Builds a full grid of any proportion; a square one of a legal size is [`Shape::Square`]. Fails with
    /// [`BoardError::Rectangle`] when a side is 0 or over [`Board::MAX_SIZE`].
    pub fn rectangle(columns: u32, rows: u32) -> Result<Self, BoardError> {
        let sides = 1..=Self::MAX_SIZE;
        if !sides.contains(&columns) || !sides.contains(&rows) {
            return Err(BoardError::Rectangle { columns, rows });
        }
        let shape = (columns == rows && columns >= Self::MIN_SIZE).then_some(Shape::Square);
        let csr = grid(columns, rows, LABELS, |_, _| true);
        Self::with_layout(csr, columns, Some(Grid { shape }))
    }

    /// Accepts any CSR matrix whose entries are consistent directions.
    ///
    /// Consistent means: labels are 1 to 8, at most one edge leaves a vertex in a direction, every edge has a reverse
    /// edge, the labels of the two are a pair that is the same everywhere, and no line closes on itself. `columns` only
    /// lays out the vertices for the notation. The error is the first inconsistency of the matrix.
    pub fn from_csr(csr: Csr, columns: u32) -> Result<Self, BoardError> {
        Self::with_layout(csr, columns, None)
    }

    fn with_layout(csr: Csr, columns: u32, grid: Option<Grid>) -> Result<Self, BoardError> {
        let size = csr.rows();
        let layout_error = || BoardError::Matrix { rows: size, columns: size, width: columns };
        let rows = u32::try_from(size).map_err(|_| layout_error())?.checked_div(columns).ok_or_else(layout_error)?;
        let fits = u64::from(rows) * u64::from(columns) == size as u64 && rows <= u32::MAX / 16 / columns;
        if !fits {
            return Err(layout_error());
        }
        let lines = find_lines(&csr)?;
        let vertex_count = (0..rows * columns).filter(|&id| lines.has_places(id)).count();
        Ok(Self { columns, rows, grid, vertex_count, csr, lines })
    }

    /// Returns the CSR matrix, holes as empty rows, its entries in the given encoding.
    ///
    /// A board that came from a matrix keeps its labels.
    pub fn csr(&self, directions: Directions) -> Csr {
        if self.grid.is_none() {
            return self.csr.clone();
        }
        let mut relabelled = [0; LAST_DIRECTION + 1];
        for (known, wanted) in LABELS.steps().into_iter().zip(directions.steps()) {
            relabelled[known.2 as usize] = wanted.2;
        }
        self.csr.relabelled(|label| relabelled[label as usize])
    }

    /// Returns whether two boards have the same layout and edges.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.columns == other.columns && self.csr == other.csr
    }

    /// Returns the number of columns of the layout.
    pub const fn columns(&self) -> u32 {
        self.columns
    }

    /// Returns the number of rows of the layout.
    pub const fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns the shape, unless the board came from a matrix or is an odd rectangle.
    pub fn shape(&self) -> Option<Shape> {
        self.grid.and_then(|grid| grid.shape)
    }

    /// Returns the number of vertex ids, holes included.
    pub fn vertex_ids(&self) -> usize {
        self.csr.rows()
    }

    /// Returns the number of vertices, holes not counted.
    pub const fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// Returns the number of stored edges, each direction counted separately.
    pub fn edge_count(&self) -> usize {
        self.csr.labels().len()
    }

    /// Returns whether the id belongs to a vertex rather than a hole.
    pub fn is_vertex(&self, id: Vertex) -> bool {
        (id as usize) < self.vertex_ids() && self.lines.has_places(id)
    }

    /// Returns the neighbours of a vertex: for each of the four axes the one behind and the one ahead.
    ///
    /// An axis is a pair of opposite directions; the pairs, and which of the two leads ahead, are the same everywhere
    /// on the board. Following one of the eight follows a line. Panics when the id is a hole or outside the board.
    pub fn neighbors(&self, vertex: Vertex) -> [[Option<Vertex>; 2]; AXES] {
        assert!(self.is_vertex(vertex), "{vertex} is not a vertex of the board");
        self.lines.neighbors(vertex)
    }

    /// Returns every vertex in ascending order, without the holes.
    pub fn vertices(&self) -> impl Iterator<Item = Vertex> + '_ {
        (0..self.columns * self.rows).filter(|&id| self.is_vertex(id))
    }

    /// Returns the ids of holes, ascending.
    pub fn holes(&self) -> impl Iterator<Item = Vertex> + '_ {
        (0..self.columns * self.rows).filter(|&id| !self.is_vertex(id))
    }

    /// Returns the shape's starting queens, Black's first; none on a board without a shape.
    pub fn starting_queens(&self) -> [Vec<Vertex>; 2] {
        self.shape().map_or_else(Default::default, |_| placement::starting_queens(self.columns))
    }

    /// Returns whether any two lines are known to share at most one vertex, as on every grid.
    pub(crate) const fn lines_meet_once(&self) -> bool {
        self.grid.is_some()
    }

    pub(crate) const fn lines(&self) -> &Lines {
        &self.lines
    }
}

/// Builds the king's graph of a grid without the missing cells.
fn grid(columns: u32, rows: u32, directions: Directions, exists: impl Fn(u32, u32) -> bool) -> Csr {
    // Cells that are missing all around the grid make every step lead to a place in the table.
    let inside = |row, column| (1..=rows).contains(&row) && (1..=columns).contains(&column);
    let exists = |row, column| inside(row, column) && exists(row - 1, column - 1);
    let mut is_cell = Vec::new();
    for row in 0..rows + 2 {
        is_cell.extend((0..columns + 2).map(|column| exists(row, column)));
    }
    let (width, columns) = (i64::from(columns) + 2, i64::from(columns));
    let cell = |row: i64, column: i64| {
        let place = usize::try_from((row + 1) * width + column + 1).ok()?;
        is_cell[place].then(|| u32::try_from(row * columns + column).ok())?
    };
    let steps = directions.steps();
    let cells = (0..i64::from(rows)).flat_map(|row| (0..columns).map(move |column| (row, column)));
    Csr::from_rows(cells.map(|(row, column)| {
        let steps = if cell(row, column).is_some() { &steps[..] } else { &[] };
        steps.iter().filter_map(move |&(down, right, label)| Some((cell(row + down, column + right)?, label)))
    }))
}

/// For each direction, the neighbour of each vertex: walking along lines stays within one of these tables.
struct Neighbors {
    tables: [Vec<Vertex>; LAST_DIRECTION],
}

impl Neighbors {
    /// Stands for no neighbour: no board has so many vertices.
    const NONE: Vertex = Vertex::MAX;

    fn new(csr: &Csr) -> Result<Self, BoardError> {
        let mut tables = [(); LAST_DIRECTION].map(|()| vec![Self::NONE; csr.rows()]);
        edges(csr).try_for_each(|(from, to, label)| {
            let table = tables.get_mut((label as usize).wrapping_sub(1));
            match mem::replace(&mut table.ok_or(BoardError::Label { from, to, label })?[from as usize], to) {
                Self::NONE => Ok(()),
                _ => Err(BoardError::Ambiguous { from, label }),
            }
        })?;
        Ok(Self { tables })
    }

    /// Returns the neighbour in the direction of a label, from 1 to 8.
    fn step(&self, from: Vertex, label: usize) -> Option<Vertex> {
        Some(self.tables[label - 1][from as usize]).filter(|&vertex| vertex != Self::NONE)
    }

    /// Pairs the directions up, there and back.
    fn axes(&self, csr: &Csr) -> Result<Vec<(usize, usize)>, BoardError> {
        let mut opposite = [0; LAST_DIRECTION + 1];
        edges(csr).try_for_each(|(from, to, label)| {
            let there = label as usize;
            let leads_back = |back: usize| back != there && self.step(to, back) == Some(from);
            let back = match opposite[there] {
                0 => (1..=LAST_DIRECTION).find(|&back| opposite[back] == 0 && leads_back(back)),
                back => Some(back).filter(|&back| leads_back(back)),
            };
            let back = back.ok_or(BoardError::NoWayBack { from, to, label })?;
            (opposite[there], opposite[back]) = (back, there);
            Ok(())
        })?;
        Ok((1..).zip(opposite.into_iter().skip(1)).filter(|&(there, back)| there < back).collect())
    }
}

fn edges(csr: &Csr) -> impl Iterator<Item = (Vertex, Vertex, u32)> + '_ {
    (0..).zip(0..csr.rows()).flat_map(move |(from, row)| csr.row(row).map(move |(to, label)| (from, to, label)))
}

fn find_lines(csr: &Csr) -> Result<Lines, BoardError> {
    let neighbors = Neighbors::new(csr)?;
    let axes = neighbors.axes(csr)?;
    let vertices: Vec<Vertex> =
        (0..).zip(csr.indptr().windows(2)).filter(|(_, ends)| ends[0] < ends[1]).map(|(vertex, _)| vertex).collect();
    let mut lines = Lines::new(csr.rows());
    let mut line = Vec::new();
    for axis in 0..AXES {
        let pair = axes.get(axis);
        let mut found = 0;
        for &start in &vertices {
            if pair.is_some_and(|&(_, back)| neighbors.step(start, back).is_some()) {
                continue;
            }
            line.clear();
            let mut next = Some(start);
            while let Some(vertex) = next {
                line.push(vertex);
                next = pair.and_then(|&(there, _)| neighbors.step(vertex, there));
            }
            lines.push(axis, &line);
            found += line.len();
        }
        // A line without a beginning was not found.
        if found < vertices.len()
            && let Some(&(there, _)) = pair
        {
            let missed = vertices.iter().find(|&&vertex| !lines.has_place(vertex, axis));
            let label = u32::try_from(there).expect("directions are 1 to 8");
            return Err(BoardError::Circle { vertex: *missed.expect("one was missed"), label });
        }
    }
    lines.finish();
    Ok(lines)
}
