use amazons_rules::{Board, Vertex};

/// Rows and columns of a board that is the king's graph of its cells.
///
/// Vertices may be numbered and directions labelled in any way: the coordinates are found by walking.
#[derive(Clone, Debug)]
pub struct Grid {
    rows: u32,
    columns: u32,
    places: Vec<Option<Coordinates>>,
}

/// A row and a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates {
    /// The row, from 0.
    pub row: u32,
    /// The column, from 0.
    pub column: u32,
}

/// A step by rows and columns.
type Offset = (i32, i32);
/// The direction of each axis of a board.
type Axes = [Offset; AXES];

const AXES: usize = 4;
const ROW: Offset = (0, 1);
const COLUMN: Offset = (1, 0);
const FALLING: Offset = (1, 1);
const RISING: Offset = (-1, 1);

impl Grid {
    /// The largest number of rows and of columns.
    pub const MAX_SIDE: u32 = 64;

    /// Finds the coordinates, if the board has some and they fit.
    #[must_use]
    pub fn new(board: &Board) -> Option<Self> {
        let side = Self::MAX_SIDE as usize;
        if board.vertex_count() > side * side {
            return None;
        }
        // Try the layout first: it keeps disconnected parts where they are.
        let layout = Some(Self::layout(board)).filter(Self::fits);
        let of_layout = layout.filter(|grid| meanings().any(|axes| grid.is_embedding(board, &axes)));
        of_layout.or_else(|| {
            let mut walks = meanings().filter_map(|axes| {
                let grid = Self::walk(board, &axes)?;
                (grid.fits() && grid.is_embedding(board, &axes)).then_some(grid)
            });
            walks.next()
        })
    }

    /// Returns the number of rows.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns the number of columns.
    #[must_use]
    pub const fn columns(&self) -> u32 {
        self.columns
    }

    /// Returns the place of a vertex; `None` for holes.
    #[must_use]
    pub fn place(&self, vertex: Vertex) -> Option<Coordinates> {
        self.places.get(vertex as usize).copied().flatten()
    }

    fn fits(&self) -> bool {
        self.rows.max(self.columns) <= Self::MAX_SIDE
    }

    fn layout(board: &Board) -> Self {
        let mut places = vec![None; board.vertex_ids()];
        for vertex in board.vertices() {
            places[vertex as usize] =
                Some(Coordinates { row: vertex / board.columns(), column: vertex % board.columns() });
        }
        Self { rows: board.rows(), columns: board.columns(), places }
    }

    /// Places every vertex by walking there; disconnected parts go below each other, with an empty row between.
    fn walk(board: &Board, axes: &Axes) -> Option<Self> {
        let mut found: Vec<Option<Offset>> = vec![None; board.vertex_ids()];
        let mut places = vec![None; board.vertex_ids()];
        let (mut rows, mut columns) = (0, 0);
        for start in board.vertices() {
            if found[start as usize].is_some() {
                continue;
            }
            let mut part = vec![start];
            found[start as usize] = Some((0, 0));
            let mut next = 0;
            while let Some(&vertex) = part.get(next) {
                next += 1;
                let at = found[vertex as usize]?;
                for (to, offset) in steps(board, axes, vertex) {
                    let place = (at.0 + offset.0, at.1 + offset.1);
                    match found[to as usize] {
                        None => {
                            found[to as usize] = Some(place);
                            part.push(to);
                        }
                        Some(known) if known != place => return None,
                        Some(_) => {}
                    }
                }
            }
            let offsets = || part.iter().filter_map(|&vertex| Some((vertex, found[vertex as usize]?)));
            let first_row = offsets().map(|(_, (row, _))| row).min()?;
            let first_column = offsets().map(|(_, (_, column))| column).min()?;
            let top = if rows == 0 { 0 } else { rows + 1 };
            for (vertex, (row, column)) in offsets() {
                let place = Coordinates {
                    row: top + u32::try_from(row - first_row).ok()?,
                    column: u32::try_from(column - first_column).ok()?,
                };
                (rows, columns) = (rows.max(place.row + 1), columns.max(place.column + 1));
                places[vertex as usize] = Some(place);
            }
        }
        Some(Self { rows, columns, places })
    }

    /// Returns whether edges lead exactly to the neighbouring cells.
    fn is_embedding(&self, board: &Board, axes: &Axes) -> bool {
        let mut vertices = vec![None; (self.rows * self.columns) as usize];
        let index = |row: i64, column: i64| -> Option<usize> {
            let row = u32::try_from(row).ok().filter(|&row| row < self.rows)?;
            let column = u32::try_from(column).ok().filter(|&column| column < self.columns)?;
            Some((row * self.columns + column) as usize)
        };
        for vertex in board.vertices() {
            let Some(Coordinates { row, column }) = self.place(vertex) else { return false };
            let Some(at) = index(i64::from(row), i64::from(column)) else { return false };
            if vertices[at].replace(vertex).is_some() {
                return false;
            }
        }
        board.vertices().all(|vertex| {
            let Some(Coordinates { row, column }) = self.place(vertex) else { return false };
            board.neighbors(vertex).iter().zip(axes).all(|(pair, &(down, right))| {
                pair.iter().zip([-1, 1]).all(|(&neighbor, sign)| {
                    let at =
                        index(i64::from(row) + sign * i64::from(down), i64::from(column) + sign * i64::from(right));
                    at.and_then(|at| vertices[at]) == neighbor
                })
            })
        })
    }
}

/// Returns the neighbours of a vertex and their offsets.
fn steps<'a>(board: &Board, axes: &'a Axes, vertex: Vertex) -> impl Iterator<Item = (Vertex, Offset)> + 'a {
    board.neighbors(vertex).into_iter().zip(axes).flat_map(|([behind, ahead], &(down, right))| {
        let behind = behind.map(|to| (to, (-down, -right)));
        behind.into_iter().chain(ahead.map(|to| (to, (down, right))))
    })
}

/// Returns every possible meaning of the four axes.
fn meanings() -> impl Iterator<Item = Axes> {
    let orders =
        (0..256u32).map(|number| [number, number >> 2, number >> 4, number >> 6].map(|digits| digits as usize % AXES));
    let orders = orders.filter(|order| (0..AXES).all(|axis| order.contains(&axis)));
    orders.flat_map(|order| {
        (0..16).map(move |signs| {
            let mut axis = 0;
            order.map(|meaning| {
                let (down, right) = [ROW, COLUMN, FALLING, RISING][meaning];
                let sign = if signs >> axis & 1 == 0 { 1 } else { -1 };
                axis += 1;
                (sign * down, sign * right)
            })
        })
    })
}
