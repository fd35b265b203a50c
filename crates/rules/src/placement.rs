use crate::{Color, Vertex};

/// Returns the starting queens of an m x m board, Black's first: `4 * (m / 10 + 1)` each.
///
/// Black has all of the top side and the upper halves of the left and right sides; White mirrors it below. The same
/// offsets serve every side: never a corner, never two adjacent queens.
pub(crate) fn starting_queens(m: u32) -> [Vec<Vertex>; 2] {
    let half = m / 10 + 1;
    let near: Vec<u32> = (1..=half).map(|i| i * m / (2 * half + 2)).collect();
    let far = near.iter().rev().map(|offset| m - 1 - offset);
    let top = near.iter().copied().chain(far).map(|column| (0, column));
    let sides = near.iter().flat_map(|&row| [(row, 0), (row, m - 1)]);
    let black: Vec<(u32, u32)> = top.chain(sides).collect();

    Color::ALL.map(|color| {
        let mirror = |row| match color {
            Color::Black => row,
            Color::White => m - 1 - row,
        };
        black.iter().map(|&(row, column)| mirror(row) * m + column).collect()
    })
}
