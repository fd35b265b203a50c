//! The same graphs as `sprs` matrices, for computations.

use sprs::{CsMatI, CsMatViewI};

use crate::{Board, BoardError, Csr, Directions, Position};

impl Board {
    /// Accepts any square CSR matrix whose entries are consistent directions, as [`Board::from_csr`] does. The error is
    /// the first inconsistency of the matrix.
    pub fn from_matrix(matrix: &CsMatViewI<'_, u32, i32>, columns: u32) -> Result<Self, BoardError> {
        let arrays = || (matrix.proper_indptr().to_vec(), matrix.indices().to_vec(), matrix.data().to_vec());
        let is_square_csr = matrix.is_csr() && matrix.rows() == matrix.cols();
        let csr = is_square_csr.then(arrays).and_then(|(indptr, indices, labels)| Csr::new(indptr, indices, labels));
        let (rows, matrix_columns) = matrix.shape();
        let csr = csr.ok_or(BoardError::Matrix { rows, columns: matrix_columns, width: columns })?;
        Self::from_csr(csr, columns)
    }

    /// Returns the CSR matrix, as [`Board::csr`] does.
    pub fn matrix(&self, directions: Directions) -> CsMatI<u32, i32> {
        self.csr(directions).into()
    }
}

impl Position {
    /// Returns the board's matrix with every arrow turned into a hole, as [`Position::csr_without_arrows`] does.
    pub fn matrix_without_arrows(&self, directions: Directions) -> CsMatI<u32, i32> {
        self.csr_without_arrows(directions).into()
    }
}

impl From<Csr> for CsMatI<u32, i32> {
    fn from(csr: Csr) -> Self {
        let size = csr.rows();
        let (indptr, indices, labels) = csr.into_arrays();
        Self::new((size, size), indptr, indices, labels)
    }
}
