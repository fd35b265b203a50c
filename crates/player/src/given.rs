//! The memory that a player receives.

use std::ffi::{c_uint, c_void};
use std::mem;
use std::ptr;

use crate::abi::{GraphT, NUM_PLAYERS, SPMATRIX_COO, SpmatrixUint};

/// The type of `gsl_spmatrix_uint_free`.
type FreeMatrixFn = unsafe extern "C" fn(*mut SpmatrixUint);

/// The blocks of one `initialize`; freed on drop, with C's `free`.
#[derive(Debug)]
pub(crate) struct Given {
    /// Graph, matrix, its four arrays and both arrays of queens; NULL if missing.
    blocks: [*mut c_void; 8],
    /// A matrix with a search tree, which only GSL can free.
    tree_matrix: *mut SpmatrixUint,
}

// SAFETY: only the player owns the blocks, and `free` may be called from any thread.
unsafe impl Send for Given {}

impl Given {
    /// Takes over the memory given to `initialize`; the outer array of queens stays the server's.
    ///
    /// # Safety
    /// Every pointer is NULL or as the header says, and from now on no other code frees the blocks.
    pub(crate) unsafe fn take(graph: *mut GraphT, queens: *mut *mut c_uint) -> Self {
        let mut given = Self { blocks: [ptr::null_mut(); 8], tree_matrix: ptr::null_mut() };
        given.blocks[0] = graph.cast();
        // SAFETY: NULL or a graph, as the caller guarantees.
        let matrix = unsafe { graph.as_ref() }.map_or(ptr::null_mut(), |graph| graph.t);
        given.blocks[1] = matrix.cast();
        // SAFETY: NULL or a matrix, as the caller guarantees.
        if let Some(t) = unsafe { matrix.as_ref() } {
            // Servers that fill in the struct by hand may leave garbage in the tree pointers of other matrices.
            if t.sptype == SPMATRIX_COO && !(t.tree.is_null() && t.pool.is_null()) {
                given.tree_matrix = matrix;
            }
            given.blocks[2..6].copy_from_slice(&[t.i.cast(), t.data.cast(), t.p.cast(), t.work]);
        }
        // SAFETY: NULL or an array of two pointers, as the caller guarantees.
        if let Some(queens) = unsafe { queens.cast::<[*mut c_void; NUM_PLAYERS]>().as_ref() } {
            given.blocks[6..].copy_from_slice(queens);
        }
        given
    }
}

impl Drop for Given {
    fn drop(&mut self) {
        if !self.tree_matrix.is_null()
            && let Some(free_matrix) = find_gsl_free()
        {
            // SAFETY: GSL made this COO matrix with a tree, and it has not been freed.
            unsafe { free_matrix(self.tree_matrix) };
            self.blocks[1..6].fill(ptr::null_mut());
        }
        for block in self.blocks {
            // SAFETY: the blocks came from `malloc` and belong to the player; NULL is allowed.
            unsafe { libc::free(block) };
        }
    }
}

/// Finds the function in this process: a server that made a tree has loaded GSL, which we do not link.
fn find_gsl_free() -> Option<FreeMatrixFn> {
    // SAFETY: the name is a C string, and the pseudo handle needs no `dlopen`.
    let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"gsl_spmatrix_uint_free".as_ptr()) };
    // SAFETY: the symbol is NULL, which is `None`, or the function of this type.
    unsafe { mem::transmute::<*mut c_void, Option<FreeMatrixFn>>(symbol) }
}
