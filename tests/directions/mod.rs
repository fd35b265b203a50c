//! The two numberings of directions: players get the one they need, and play whole games.

mod checks;
mod events;
mod games;

use std::path::PathBuf;

use tempfile::TempDir;

use crate::check::build;

/// Ids of neighbours computed from labels, as the clockwise ring numbers them.
pub(super) const BY_RING: &str = "#define NEIGHBOUR(v, dir) \
    ((v) + (int[]){0, -side, 1 - side, 1, side + 1, side, side - 1, -1, -side - 1}[dir])";

/// The same as the example of the course's subject numbers them.
pub(super) const BY_SUBJECT: &str = "#define NEIGHBOUR(v, dir) \
    ((v) + (int[]){0, -side, 1 - side, -1, side + 1, side, side - 1, 1, -side - 1}[dir])";

/// Players that compute neighbours from the labels of one numbering, and one that only compares labels.
pub(super) struct Players {
    _folders: [TempDir; 3],
    pub(super) ring: PathBuf,
    pub(super) subject: PathBuf,
    pub(super) labels: PathBuf,
}

impl Players {
    pub(super) fn build() -> Self {
        let [(one, ring), (two, subject), (three, labels)] = [BY_RING, BY_SUBJECT, ""].map(build);
        Self { _folders: [one, two, three], ring, subject, labels }
    }
}
