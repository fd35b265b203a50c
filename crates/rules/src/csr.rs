use crate::Vertex;

/// A square matrix of directions in compressed rows (CSR): entry (u, v) is the direction that leads from u to v.
///
/// The entries of row u are those at positions `indptr[u]..indptr[u + 1]`: position k leads to `indices[k]` in direction
/// `labels[k]`. The integers are those of the C interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr {
    indptr: Vec<i32>,
    indices: Vec<i32>,
    labels: Vec<u32>,
}

impl Csr {
    /// Accepts the three arrays; `None` unless the offsets start at 0, ascend and end at the number of entries, and the
    /// columns of each row ascend and are below the number of rows.
    pub fn new(indptr: Vec<i32>, indices: Vec<i32>, labels: Vec<u32>) -> Option<Self> {
        let rows = i32::try_from(indptr.len().checked_sub(1)?).ok()?;
        let entries = i32::try_from(indices.len()).ok()?;
        let ends_fit = indptr.first() == Some(&0) && indptr.last() == Some(&entries) && labels.len() == indices.len();
        if !ends_fit || !indptr.is_sorted() || !indices.iter().all(|column| (0..rows).contains(column)) {
            return None;
        }
        let csr = Self { indptr, indices, labels };
        let is_sorted = |row: usize| csr.indices[csr.range(row)].is_sorted_by(|left, right| left < right);
        (0..csr.rows()).all(is_sorted).then_some(csr)
    }

    /// Makes a matrix of rows that are known to be in order. Panics when they are not.
    pub(crate) fn from_rows<R: IntoIterator<Item = (Vertex, u32)>>(rows: impl IntoIterator<Item = R>) -> Self {
        let (mut indptr, mut indices, mut labels) = (vec![0], Vec::new(), Vec::new());
        rows.into_iter().for_each(|row| {
            for (to, label) in row {
                indices.push(to.cast_signed());
                labels.push(label);
            }
            indptr.push(i32::try_from(indices.len()).expect("a board of the largest size has 8 million edges"));
        });
        Self::new(indptr, indices, labels).expect("rows in order")
    }

    /// Returns the number of rows, equal to that of columns.
    pub const fn rows(&self) -> usize {
        self.indptr.len() - 1
    }

    /// Returns the offset of each row, then the number of entries.
    pub fn indptr(&self) -> &[i32] {
        &self.indptr
    }

    /// Returns the column of each entry.
    pub fn indices(&self) -> &[i32] {
        &self.indices
    }

    /// Returns the direction of each entry.
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// Returns offsets, columns and directions.
    pub fn into_arrays(self) -> (Vec<i32>, Vec<i32>, Vec<u32>) {
        (self.indptr, self.indices, self.labels)
    }

    /// Returns the entries of a row: column and direction. Panics when there is no such row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (Vertex, u32)> + '_ {
        let range = self.range(row);
        let columns = self.indices[range.clone()].iter().map(|column| column.cast_unsigned());
        columns.zip(self.labels[range].iter().copied())
    }

    fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.indptr[row].cast_unsigned() as usize..self.indptr[row + 1].cast_unsigned() as usize
    }

    /// Returns the same matrix with other labels.
    pub(crate) fn relabelled(&self, label: impl Fn(u32) -> u32) -> Self {
        let labels = self.labels.iter().map(|&known| label(known)).collect();
        Self { indptr: self.indptr.clone(), indices: self.indices.clone(), labels }
    }
}
