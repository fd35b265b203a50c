//! The types of the C headers in `include/`, with C's layout on 64-bit Linux.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::mem::{offset_of, size_of};

/// The number of players, and of queen arrays.
pub const NUM_PLAYERS: usize = 2;

/// The ABI id of the player that moves first.
pub const BLACK: c_uint = 0;
/// The ABI id of the player that moves second.
pub const WHITE: c_uint = 1;

/// The value of `SpmatrixUint::sptype` for a list of (row, column, value) triples.
pub const SPMATRIX_COO: c_int = 0;
/// The value of `SpmatrixUint::sptype` for compressed columns.
pub const SPMATRIX_CSC: c_int = 1;
/// The value of `SpmatrixUint::sptype` for compressed rows, the form that servers should use.
pub const SPMATRIX_CSR: c_int = 2;

/// Mirrors `struct move_t`: three vertex ids, passed by value.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveT {
    /// Where the queen stands.
    pub queen_src: c_uint,
    /// Where the queen lands.
    pub queen_dst: c_uint,
    /// Where its arrow lands.
    pub arrow_dst: c_uint,
}

impl MoveT {
    /// No move: the argument of the first `play` of a game, and a player's answer when it resigns.
    pub const NONE: Self = Self { queen_src: c_uint::MAX, queen_dst: c_uint::MAX, arrow_dst: c_uint::MAX };
}

/// Mirrors GSL's `gsl_spmatrix_uint` (2.6 to 2.8).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SpmatrixUint {
    /// The number of rows.
    pub size1: usize,
    /// The number of columns.
    pub size2: usize,
    /// Column of each entry (CSR) or its row (COO, CSC); `nzmax` of them.
    pub i: *mut c_int,
    /// Value of each entry: the direction of the edge; `nzmax` of them.
    pub data: *mut c_uint,
    /// Offset of each row (CSR, `size1 + 1`) or column (CSC, `size2 + 1`), or column of each entry (COO, `nzmax`).
    pub p: *mut c_int,
    /// The capacity for entries.
    pub nzmax: usize,
    /// The number of entries.
    pub nz: usize,
    /// A search tree, in COO matrices only.
    pub tree: *mut c_void,
    /// Where the nodes of `tree` are stored.
    pub pool: *mut c_void,
    /// The size of a node of `tree`.
    pub node_size: usize,
    /// Scratch space of `4 * max(size1, size2)` bytes.
    pub work: *mut c_void,
    /// One of [`SPMATRIX_COO`], [`SPMATRIX_CSC`], [`SPMATRIX_CSR`].
    pub sptype: c_int,
    /// Flags for GSL's own use.
    pub spflags: usize,
}

/// Mirrors `struct graph_t`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GraphT {
    /// The number of vertices.
    pub num_vertices: c_uint,
    /// The matrix of edges: entry (u, v) is the direction that leads from u to v.
    pub t: *mut SpmatrixUint,
}

/// The type of `get_player_name`.
pub type GetPlayerNameFn = unsafe extern "C-unwind" fn() -> *const c_char;
/// The type of `initialize`: id, graph, queens for each player, both arrays of queens.
pub type InitializeFn = unsafe extern "C-unwind" fn(c_uint, *mut GraphT, c_uint, *mut *mut c_uint);
/// The type of `play`.
pub type PlayFn = unsafe extern "C-unwind" fn(MoveT) -> MoveT;
/// The type of `get_opinion`, which not every player has; the argument is where it puts a line of text.
pub type GetOpinionFn = unsafe extern "C-unwind" fn(*mut *const c_char) -> f64;
/// The type of `finalize`.
pub type FinalizeFn = unsafe extern "C-unwind" fn();

const _: () = {
    assert!(size_of::<MoveT>() == 12);
    assert!(offset_of!(MoveT, queen_src) == 0);
    assert!(offset_of!(MoveT, queen_dst) == 4);
    assert!(offset_of!(MoveT, arrow_dst) == 8);

    assert!(size_of::<GraphT>() == 16);
    assert!(offset_of!(GraphT, num_vertices) == 0);
    assert!(offset_of!(GraphT, t) == 8);

    assert!(size_of::<SpmatrixUint>() == 104);
    assert!(offset_of!(SpmatrixUint, size1) == 0);
    assert!(offset_of!(SpmatrixUint, size2) == 8);
    assert!(offset_of!(SpmatrixUint, i) == 16);
    assert!(offset_of!(SpmatrixUint, data) == 24);
    assert!(offset_of!(SpmatrixUint, p) == 32);
    assert!(offset_of!(SpmatrixUint, nzmax) == 40);
    assert!(offset_of!(SpmatrixUint, nz) == 48);
    assert!(offset_of!(SpmatrixUint, tree) == 56);
    assert!(offset_of!(SpmatrixUint, pool) == 64);
    assert!(offset_of!(SpmatrixUint, node_size) == 72);
    assert!(offset_of!(SpmatrixUint, work) == 80);
    assert!(offset_of!(SpmatrixUint, sptype) == 88);
    assert!(offset_of!(SpmatrixUint, spflags) == 96);
};
