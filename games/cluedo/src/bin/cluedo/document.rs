//! The figures of the report of 2012 that described this game: 250 games a cell.

use cluedo::classic::LineUp;

/// How many games each figure is of.
pub(crate) const GAMES: f64 = 250.0;

/// Returns the mean number of rounds and its standard deviation; nothing for AIs that the report did not have.
pub(crate) fn figures(ais: &LineUp) -> Option<(f64, f64)> {
    const FIGURES: [[(f64, f64); 4]; 3] = [
        [(7.27, 2.29), (8.79, 2.93), (9.61, 3.09), (9.40, 3.26)],
        [(8.60, 2.12), (8.63, 2.80), (9.12, 3.26), (9.40, 3.32)],
        [(7.95, 2.27), (9.95, 2.96), (9.70, 3.41), (10.23, 3.18)],
    ];
    FIGURES.get(ais.only_type()? as usize).map(|row| row[ais.count() - 2])
}
