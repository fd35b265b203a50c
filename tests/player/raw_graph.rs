//! Graphs as C servers build them, in any of the conventions.

use std::ffi::{c_int, c_uint};
use std::ptr;

use amazons_player::abi::{GraphT, SPMATRIX_COO, SPMATRIX_CSC, SPMATRIX_CSR, SpmatrixUint};
use amazons_player::rules::{Board, Directions};

/// An edge: from, to, direction.
pub(super) type Edge = (c_int, c_int, c_uint);

/// Lists the edges of a board.
pub(super) fn edges_of(board: &Board, directions: Directions) -> Vec<Edge> {
    let matrix = board.matrix(directions);
    let id = |vertex: usize| c_int::try_from(vertex).expect("vertices are ints");
    matrix.iter().map(|(&label, (from, to))| (id(from as usize), id(to as usize), label)).collect()
}

/// A graph with arrays owned by Rust, so that tests can corrupt them.
#[derive(Debug)]
pub(super) struct RawGraph {
    pub(super) i: Vec<c_int>,
    pub(super) data: Vec<c_uint>,
    pub(super) p: Vec<c_int>,
    pub(super) matrix: SpmatrixUint,
    pub(super) graph: GraphT,
}

impl RawGraph {
    /// Stores edges in order, as `sptype` says.
    pub(super) fn new(sptype: c_int, size1: usize, size2: usize, edges: &[Edge]) -> Self {
        let mut edges = edges.to_vec();
        let mut p = Vec::new();
        let offsets = |lines: usize, line_of: fn(&Edge) -> c_int, edges: &[Edge]| -> Vec<c_int> {
            let before = |line: usize| edges.iter().filter(|edge| line_of(edge) < as_int(line)).count();
            (0..=lines).map(|line| as_int(before(line))).collect()
        };
        match sptype {
            SPMATRIX_CSR => {
                edges.sort_by_key(|edge| edge.0);
                p = offsets(size1, |edge| edge.0, &edges);
            }
            SPMATRIX_CSC => {
                edges.sort_by_key(|edge| edge.1);
                p = offsets(size2, |edge| edge.1, &edges);
            }
            _ => p.extend(edges.iter().map(|edge| edge.1)),
        }
        let inner = |edge: &Edge| if sptype == SPMATRIX_CSR { edge.1 } else { edge.0 };
        let null = ptr::null_mut();
        let matrix = SpmatrixUint {
            size1,
            size2,
            i: ptr::null_mut(),
            data: ptr::null_mut(),
            p: ptr::null_mut(),
            nzmax: edges.len(),
            nz: edges.len(),
            tree: null,
            pool: null,
            node_size: 0,
            work: null,
            sptype,
            spflags: 0,
        };
        Self {
            i: edges.iter().map(inner).collect(),
            data: edges.iter().map(|edge| edge.2).collect(),
            p,
            matrix,
            graph: GraphT { num_vertices: c_uint::try_from(size1).expect("it is small"), t: ptr::null_mut() },
        }
    }

    /// Sets the pointers and returns the graph; valid until `self` changes or moves.
    pub(super) fn link(&mut self) -> *mut GraphT {
        self.matrix.i = self.i.as_mut_ptr();
        self.matrix.data = self.data.as_mut_ptr();
        self.matrix.p = self.p.as_mut_ptr();
        self.graph.t = &raw mut self.matrix;
        &raw mut self.graph
    }
}

/// All storage types, with names for messages.
pub(super) const STORAGE_TYPES: [(c_int, &str); 3] =
    [(SPMATRIX_CSR, "csr"), (SPMATRIX_CSC, "csc"), (SPMATRIX_COO, "coo")];

fn as_int(number: usize) -> c_int {
    c_int::try_from(number).expect("tests count small things")
}
