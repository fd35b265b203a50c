//! Reads a server's graph into a `Board`, whatever the server's conventions.
//!
//! Servers differ: holes may be vertices without edges, or `num_vertices` may leave them out, or ids may be compact
//! with a matrix that is not square. There may be only four directions, explicit zeros, a few one-way edges, and any of
//! GSL's three storage types, even CSR with the `sptype` of COO. Direction labels are only compared, so any encoding
//! will do.
//!
//! Only the length behind a pointer cannot be checked: a graph that makes no sense is an error, never a crash.

use std::error::Error;
use std::ffi::{c_int, c_uint};
use std::{fmt, slice};

use amazons_rules::{Board, BoardError, Csr};

use crate::abi::{GraphT, NUM_PLAYERS, SPMATRIX_COO, SPMATRIX_CSC, SPMATRIX_CSR, SpmatrixUint};

/// Maximum number of vertices: sixteen times those of our server's largest board.
const MAX_VERTICES: usize = 1 << 24;

/// An error in a graph or its queens.
#[derive(Debug)]
#[non_exhaustive]
pub enum GraphError {
    /// A pointer is NULL or misaligned.
    Pointer(&'static str),
    /// The matrix has no rows, or more than is plausible.
    Size {
        /// `size1`.
        rows: usize,
        /// `size2`.
        columns: usize,
    },
    /// The storage type is not one of GSL's.
    StorageType(c_int),
    /// An offset, a count or an index is negative, descends or is too large.
    OutOfRange {
        /// Its meaning.
        what: &'static str,
        /// The number.
        value: i64,
    },
    /// Two edges with different directions lead from one vertex to the same other one.
    DoubleEdge,
    /// The directions are not consistent.
    Board(BoardError),
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pointer(what) => write!(f, "{what} is not a valid pointer"),
            Self::Size { rows, columns } => write!(f, "a matrix of {rows} x {columns} cannot be a board"),
            Self::StorageType(sptype) => write!(f, "storage type {sptype} is unknown"),
            Self::OutOfRange { what, value } => write!(f, "{what} {value} is out of range"),
            Self::DoubleEdge => f.write_str("two vertices are joined twice"),
            Self::Board(error) => error.fmt(f),
        }
    }
}

// The board's error is part of this one's text, so it is not a source.
impl Error for GraphError {}

impl From<BoardError> for GraphError {
    fn from(error: BoardError) -> Self {
        Self::Board(error)
    }
}

/// An edge: its start, its end, its direction.
type Edge = (c_int, c_int, c_uint);

/// Reads the graph. Fails when it is malformed, as far as that can be seen.
///
/// # Safety
/// Every pointer is NULL, or points to as many values as the sizes next to it say.
pub unsafe fn read_board(graph: *const GraphT) -> Result<Board, GraphError> {
    // SAFETY: the caller guarantees the pointer.
    let graph = unsafe { values(graph, 1, "graph") }?[0];
    // SAFETY: the caller guarantees the pointer.
    let matrix = unsafe { values(graph.t, 1, "graph->t") }?[0];
    let n = matrix.size1.max(matrix.size2);
    if matrix.size1.min(matrix.size2) == 0 || n > MAX_VERTICES {
        return Err(GraphError::Size { rows: matrix.size1, columns: matrix.size2 });
    }
    // SAFETY: the caller guarantees the matrix.
    if let Some(board) = unsafe { read_csr(&matrix) } {
        return Ok(board);
    }
    // SAFETY: the caller guarantees the matrix.
    let edges = unsafe { read_edges(&matrix) }?;
    build_board(n, edges)
}

/// Reads a graph that needs no repair, as our server's: the general way takes several times as long.
///
/// # Safety
/// The pointers are NULL, or point to as many values as the sizes say.
unsafe fn read_csr(matrix: &SpmatrixUint) -> Option<Board> {
    let &SpmatrixUint { size1: n, size2, nz, nzmax, sptype: SPMATRIX_CSR, .. } = matrix else { return None };
    if n != size2 || nz > nzmax {
        return None;
    }
    // SAFETY: the caller guarantees the arrays.
    let p = unsafe { values(matrix.p, n + 1, "the matrix's p") }.ok()?;
    if usize::try_from(p[n]) != Ok(nz) {
        return None;
    }
    // SAFETY: `nz` was checked against `nzmax`, which the caller guarantees.
    let i = unsafe { values(matrix.i, nz, "the matrix's i") }.ok()?;
    // SAFETY: as for `i`.
    let data = unsafe { values(matrix.data, nz, "the matrix's data") }.ok()?;
    // A board has no zeros and no one-way edges.
    Board::from_csr(Csr::new(p.to_vec(), i.to_vec(), data.to_vec())?, columns(n)?).ok()
}

/// Returns the width of the layout, which only matters for printed positions: a square is the best guess.
fn columns(n: usize) -> Option<u32> {
    let side = n.isqrt();
    u32::try_from(if side * side == n { side } else { n }).ok()
}

/// Reads both players' queens; the ids are below `vertex_ids`. Fails when a pointer is NULL or an id out of range.
///
/// # Safety
/// `queens` and its entries are NULL, or point to two arrays of `num_queens` vertices.
pub unsafe fn read_queens(
    queens: *const *mut c_uint,
    num_queens: c_uint,
    vertex_ids: usize,
) -> Result<[Vec<c_uint>; NUM_PLAYERS], GraphError> {
    let len = index("num_queens", num_queens, vertex_ids + 1)?;
    // SAFETY: the caller guarantees the outer array.
    let arrays = unsafe { values(queens, NUM_PLAYERS, "queens") }?;
    let mut read = [Vec::new(), Vec::new()];
    for (&array, read) in arrays.iter().zip(&mut read) {
        // SAFETY: the caller guarantees the inner arrays.
        let vertices = unsafe { values(array, len, "an array of queens") }?;
        for &vertex in vertices {
            index("queen", vertex, vertex_ids)?;
        }
        read.extend_from_slice(vertices);
    }
    Ok(read)
}

/// Reads the entries, without explicit zeros.
///
/// # Safety
/// The pointers are NULL, or point to as many values as the sizes say.
unsafe fn read_edges(matrix: &SpmatrixUint) -> Result<Vec<Edge>, GraphError> {
    // SAFETY: the caller guarantees the arrays.
    let sptype = unsafe { storage_type(matrix) }?;
    let (starts, other_ends) = match sptype {
        SPMATRIX_COO => (matrix.nz, matrix.size2),
        SPMATRIX_CSC => (matrix.size2 + 1, matrix.size1),
        SPMATRIX_CSR => (matrix.size1 + 1, matrix.size2),
        unknown => return Err(GraphError::StorageType(unknown)),
    };
    let coo = sptype == SPMATRIX_COO;
    let room = matrix.nzmax.min(MAX_VERTICES * MAX_VERTICES);
    if coo && matrix.nz > room {
        return Err(out_of_range("number of entries", matrix.nz));
    }
    // SAFETY: the caller guarantees the arrays; for COO `nz` was checked against their size.
    let p = unsafe { values(matrix.p, starts, "the matrix's p") }?;
    let nz = match p.last() {
        Some(&last) if !coo => index("last offset", last, room + 1)?,
        _ => p.len(),
    };
    // SAFETY: `nz` was checked against `nzmax`, which the caller guarantees.
    let i = unsafe { values(matrix.i, nz, "the matrix's i") }?;
    // SAFETY: as for `i`.
    let data = unsafe { values(matrix.data, nz, "the matrix's data") }?;

    let mut edges = Vec::with_capacity(nz);
    if coo {
        for ((&row, &column), &label) in i.iter().zip(p).zip(data) {
            index("row", row, matrix.size1)?;
            index("column", column, other_ends)?;
            edges.push((row, column, label));
        }
    } else {
        for (outer, ends) in (0..).zip(p.windows(2)) {
            let end = index("offset", ends[1], nz + 1)?;
            let start = index("offset", ends[0], end + 1)?;
            for (&inner, &label) in i[start..end].iter().zip(&data[start..end]) {
                index("vertex", inner, other_ends)?;
                edges.push(match sptype {
                    SPMATRIX_CSR => (outer, inner, label),
                    _ => (inner, outer, label),
                });
            }
        }
    }
    edges.retain(|&(_, _, label)| label != 0);
    Ok(edges)
}

/// Returns the storage type: some servers' CSR matrices have the `sptype` of COO.
///
/// The last offset of CSR is `nz`. No column of COO is that large if `nz` is at least the number of columns, and both
/// have that many numbers in `p` if `nz` exceeds the number of rows: so on every board with more edges than vertices
/// the two are told apart with certainty.
///
/// # Safety
/// The pointers are NULL, or point to as many values as the sizes say.
unsafe fn storage_type(matrix: &SpmatrixUint) -> Result<c_int, GraphError> {
    let &SpmatrixUint { size1, size2, nz, nzmax, sptype, .. } = matrix;
    if sptype == SPMATRIX_COO && nz > size1 && nz >= size2 && nz <= nzmax {
        // SAFETY: CSR has `size1 + 1` offsets and COO `nz` columns, which are not fewer.
        let offsets = unsafe { values(matrix.p, size1 + 1, "the matrix's p") }?;
        if offsets[0] == 0 && usize::try_from(offsets[size1]) == Ok(nz) {
            return Ok(SPMATRIX_CSR);
        }
    }
    Ok(sptype)
}

/// Makes a square board of `n` vertices; those without edges are holes.
fn build_board(n: usize, mut edges: Vec<Edge>) -> Result<Board, GraphError> {
    edges.sort_unstable();
    edges.dedup();
    let edges = with_ways_back(n, edges);
    let mut indptr = Vec::with_capacity(n + 1);
    for start in row_starts(n, &edges) {
        indptr.push(c_int::try_from(start).map_err(|_| out_of_range("number of entries", start))?);
    }
    let indices = edges.iter().map(|edge| edge.1).collect();
    let labels = edges.iter().map(|edge| edge.2).collect();
    let csr = Csr::new(indptr, indices, labels).ok_or(GraphError::DoubleEdge)?;
    Ok(Board::from_csr(csr, columns(n).ok_or_else(|| out_of_range("number of columns", n))?)?)
}

/// Drops the one-way edges that some servers leave in a corner; `edges` are sorted.
/// A graph that has only such edges is returned unchanged, and rejected for them later.
fn with_ways_back(n: usize, edges: Vec<Edge>) -> Vec<Edge> {
    let starts = row_starts(n, &edges);
    let row = |vertex: c_int| usize::try_from(vertex).map_or(&[][..], |row| &edges[starts[row]..starts[row + 1]]);
    let has_way_back = |edge: &&Edge| row(edge.1).iter().any(|back| back.1 == edge.0);
    let kept: Vec<Edge> = edges.iter().filter(has_way_back).copied().collect();
    if kept.is_empty() { edges } else { kept }
}

/// Returns the index of each vertex's first edge, and the end of the last; `edges` are sorted.
fn row_starts(n: usize, edges: &[Edge]) -> Vec<usize> {
    let mut starts = Vec::with_capacity(n + 1);
    let mut start = 0;
    starts.push(start);
    for row in 0..n {
        start += edges[start..].iter().take_while(|edge| usize::try_from(edge.0) == Ok(row)).count();
        starts.push(start);
    }
    starts
}

/// Checks that a number from the server is below `end`.
fn index<N: Copy + Into<i64>>(what: &'static str, value: N, end: usize) -> Result<usize, GraphError> {
    let value = value.into();
    match usize::try_from(value) {
        Ok(index) if index < end => Ok(index),
        _ => Err(GraphError::OutOfRange { what, value }),
    }
}

fn out_of_range(what: &'static str, value: usize) -> GraphError {
    GraphError::OutOfRange { what, value: i64::try_from(value).unwrap_or(i64::MAX) }
}

/// Reads a C array.
///
/// # Safety
/// `start` is NULL or points to `len` values that do not change while the slice is used.
unsafe fn values<'a, T>(start: *const T, len: usize, what: &'static str) -> Result<&'a [T], GraphError> {
    if len == 0 {
        return Ok(&[]);
    }
    if start.is_null() || !start.is_aligned() {
        return Err(GraphError::Pointer(what));
    }
    // SAFETY: not NULL, aligned, and the caller guarantees the length.
    Ok(unsafe { slice::from_raw_parts(start, len) })
}
