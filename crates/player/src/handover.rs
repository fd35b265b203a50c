//! The memory that a server gives to a player.

use std::ffi::{c_int, c_uint};
use std::{mem, ptr};

use sprs::CsMatViewI;
use thiserror::Error;

use crate::abi::{GraphT, NUM_PLAYERS, SPMATRIX_CSR, SpmatrixUint};
use crate::block::Block;

/// Maximum number of edges of a vertex: players reserve room for eight.
const MAX_DEGREE: usize = 8;

/// Why a graph or its queens cannot be given to a player.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HandoverError {
    /// The matrix is stored by columns.
    #[error("the matrix must be stored by rows (CSR)")]
    NotCsr,
    /// The matrix does not have as many rows as columns.
    #[error("the matrix must be square, not {rows} x {columns}")]
    NotSquare {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// The counts exceed the header's types.
    #[error("a graph of {vertices} vertices and {edges} edges is too big for the ABI")]
    TooBig {
        /// The number of vertices.
        vertices: usize,
        /// The number of directed edges.
        edges: usize,
    },
    /// A vertex has more than eight edges; some players overflow on the ninth.
    #[error("vertex {vertex} has {degree} edges, at most {MAX_DEGREE} are allowed")]
    TooManyEdges {
        /// The vertex.
        vertex: usize,
        /// The number of its edges.
        degree: usize,
    },
    /// An entry is zero; some players read it as a direction.
    #[error("the edge from {from} to {to} has no direction")]
    ZeroEdge {
        /// Where the edge starts.
        from: usize,
        /// Where it ends.
        to: usize,
    },
    /// The header has a single number of queens for both players.
    #[error("the players have {first} and {second} queens, they need equally many")]
    UnequalQueens {
        /// Queens of the player that moves first.
        first: usize,
        /// Queens of the other player.
        second: usize,
    },
    /// A queen is outside of the graph.
    #[error("queen on vertex {vertex}, the graph has {vertices}")]
    QueenOffGraph {
        /// The queen's vertex.
        vertex: c_uint,
        /// The number of vertices.
        vertices: usize,
    },
    /// `malloc` returned NULL.
    #[error("out of memory")]
    OutOfMemory,
}

/// Two fields of a CSR graph, as other servers may write them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphFields {
    /// `num_vertices`, possibly not the number of rows.
    pub num_vertices: c_uint,
    /// `sptype`, possibly not CSR's.
    pub sptype: c_int,
}

/// A player's graph, matrix and queens, each piece in its own `malloc` block.
///
/// After [`Handover::release`], the player owns everything but the outer array of [`Handover::queens`]; before that,
/// dropping the handover frees it all.
#[derive(Debug)]
pub struct Handover {
    graph: *mut GraphT,
    num_queens: c_uint,
    queens: Block<*mut c_uint>,
    player_blocks: Option<PlayerBlocks>,
}

// SAFETY: only this value reaches the blocks, until the player owns them.
unsafe impl Send for Handover {}

/// The blocks that the player frees.
#[derive(Debug)]
struct PlayerBlocks {
    _graph: Block<GraphT>,
    _matrix: Block<SpmatrixUint>,
    _arrays: [Block<c_int>; 3],
    _data: Block<c_uint>,
    _queens: [Block<c_uint>; NUM_PLAYERS],
}

impl Handover {
    /// Copies a CSR matrix of directions and both players' queens.
    ///
    /// `queens[0]` belong to the player that moves first, ABI id 0.
    /// Fails if players could not read the result, or memory ran out.
    pub fn new(matrix: CsMatViewI<'_, u32, i32>, queens: [&[u32]; NUM_PLAYERS]) -> Result<Self, HandoverError> {
        let fields = GraphFields { num_vertices: check_matrix(matrix)?, sptype: SPMATRIX_CSR };
        let num_queens = check_queens(queens, matrix.rows())?;
        Self::copy(matrix, fields, queens, num_queens).ok_or(HandoverError::OutOfMemory)
    }

    /// Copies a graph as some other servers build it: the two fields may hold anything, the matrix need not be square,
    /// and entries may be zero.
    /// Fails if the matrix is not in CSR form, the counts exceed the header's types, or memory ran out.
    pub fn foreign(
        matrix: CsMatViewI<'_, u32, i32>,
        fields: GraphFields,
        queens: [&[u32]; NUM_PLAYERS],
    ) -> Result<Self, HandoverError> {
        if !matrix.is_csr() {
            return Err(HandoverError::NotCsr);
        }
        let ids = matrix.rows().max(matrix.cols());
        let too_big = |_| HandoverError::TooBig { vertices: ids, edges: matrix.nnz() };
        c_int::try_from(ids).map_err(too_big)?;
        c_int::try_from(matrix.nnz()).map_err(too_big)?;
        let num_queens = check_queens(queens, ids)?;
        Self::copy(matrix, fields, queens, num_queens).ok_or(HandoverError::OutOfMemory)
    }

    fn copy(
        matrix: CsMatViewI<'_, u32, i32>,
        GraphFields { num_vertices, sptype }: GraphFields,
        queens: [&[u32]; NUM_PLAYERS],
        num_queens: c_uint,
    ) -> Option<Self> {
        let (size1, size2) = matrix.shape();
        let i = Block::copy_of(matrix.indices())?;
        let data = Block::copy_of(matrix.data())?;
        let p = Block::copy_of(&matrix.proper_indptr())?;
        let work = Block::<c_int>::zeroed(size1.max(size2))?;
        let t = Block::copy_of(&[SpmatrixUint {
            size1,
            size2,
            i: i.as_ptr(),
            data: data.as_ptr(),
            p: p.as_ptr(),
            nzmax: matrix.nnz(),
            nz: matrix.nnz(),
            tree: ptr::null_mut(),
            pool: ptr::null_mut(),
            node_size: 0,
            work: work.as_ptr().cast(),
            sptype,
            spflags: 0,
        }])?;
        let graph = Block::copy_of(&[GraphT { num_vertices, t: t.as_ptr() }])?;
        let queens = [Block::copy_of(queens[0])?, Block::copy_of(queens[1])?];
        Some(Self {
            graph: graph.as_ptr(),
            num_queens,
            queens: Block::copy_of(&[queens[0].as_ptr(), queens[1].as_ptr()])?,
            player_blocks: Some(PlayerBlocks {
                _graph: graph,
                _matrix: t,
                _arrays: [i, p, work],
                _data: data,
                _queens: queens,
            }),
        })
    }

    /// The graph; do not follow it after [`Handover::release`].
    pub fn graph(&self) -> *mut GraphT {
        self.graph
    }

    /// The number of queens of each player.
    pub fn num_queens(&self) -> c_uint {
        self.num_queens
    }

    /// The outer array of queens, valid as long as this value: drop it only after `finalize`.
    pub fn queens(&self) -> *mut *mut c_uint {
        self.queens.as_ptr()
    }

    /// Gives the blocks away: call it right before `initialize`. From then on the player frees them.
    pub fn release(&mut self) {
        mem::forget(self.player_blocks.take());
    }
}

/// Checks that players can read the matrix; returns its number of vertices.
fn check_matrix(matrix: CsMatViewI<'_, u32, i32>) -> Result<c_uint, HandoverError> {
    let (rows, columns) = matrix.shape();
    if !matrix.is_csr() {
        return Err(HandoverError::NotCsr);
    }
    if rows != columns {
        return Err(HandoverError::NotSquare { rows, columns });
    }
    let too_big = |_| HandoverError::TooBig { vertices: rows, edges: matrix.nnz() };
    // Vertices are `int` in the matrix, so that is the limit rather than `unsigned int`.
    let num_vertices = c_int::try_from(rows).map_err(too_big)?.unsigned_abs();
    c_int::try_from(matrix.nnz()).map_err(too_big)?;
    for (vertex, row) in matrix.outer_iterator().enumerate() {
        if row.nnz() > MAX_DEGREE {
            return Err(HandoverError::TooManyEdges { vertex, degree: row.nnz() });
        }
        if let Some((to, _)) = row.iter().find(|&(_, &direction)| direction == 0) {
            return Err(HandoverError::ZeroEdge { from: vertex, to });
        }
    }
    Ok(num_vertices)
}

/// Checks that the header can express the queens; returns how many each player has.
fn check_queens(queens: [&[u32]; NUM_PLAYERS], vertices: usize) -> Result<c_uint, HandoverError> {
    let [first, second] = queens.map(<[u32]>::len);
    if first != second {
        return Err(HandoverError::UnequalQueens { first, second });
    }
    let off_graph = |&&vertex: &&u32| usize::try_from(vertex).is_ok_and(|v| v >= vertices);
    if let Some(&vertex) = queens.iter().copied().flatten().find(off_graph) {
        return Err(HandoverError::QueenOffGraph { vertex, vertices });
    }
    c_uint::try_from(first).map_err(|_| HandoverError::TooBig { vertices, edges: first })
}
