//! Boards with and without rows and columns.

use std::collections::BTreeSet;

use amazons_engine::{Coordinates, Grid};
use amazons_rules::{Board, Color, Directions, Position, Shape};

use super::boards::{foreign, without_an_axis};

/// Places are a grid's if each is given once and vertices are joined exactly when they touch.
fn assert_is_grid(board: &Board, grid: &Grid) {
    let places: Vec<Coordinates> = board.vertices().map(|vertex| grid.place(vertex).expect("every vertex")).collect();
    let distinct: BTreeSet<_> = places.iter().map(|place| (place.row, place.column)).collect();
    assert_eq!(distinct.len(), board.vertex_count());
    let touch = |a: &Coordinates, b: &Coordinates| a.row.abs_diff(b.row) <= 1 && a.column.abs_diff(b.column) <= 1;
    let touching = places.iter().map(|a| places.iter().filter(|b| touch(a, b)).count() - 1).sum::<usize>();
    assert_eq!(touching, board.edge_count());
    for vertex in board.vertices() {
        for neighbor in board.neighbors(vertex).into_iter().flatten().flatten() {
            let place = |vertex| grid.place(vertex).expect("every vertex");
            assert!(touch(&place(vertex), &place(neighbor)));
        }
    }
}

#[test]
fn shapes_keep_their_layout() {
    for shape in Shape::ALL {
        for m in [5, 8, 10, 16, 31] {
            let board = Board::new(shape, m).expect("legal size");
            let grid = Grid::new(&board).expect("a grid");
            assert_eq!((grid.rows(), grid.columns()), (m, m));
            assert!(board.vertices().all(|v| grid.place(v) == Some(Coordinates { row: v / m, column: v % m })));
        }
    }
}

#[test]
fn foreign_numbers_and_labels_are_seen_through() {
    for (seed, shape) in (0..40).zip(Shape::ALL.into_iter().cycle()) {
        let board = foreign(&Board::new(shape, 5 + seed as u32 / 4).expect("legal size"), seed);
        let grid = Grid::new(&board).unwrap_or_else(|| panic!("{shape}, seed {seed}"));
        assert_eq!(grid.rows().max(grid.columns()), 5 + seed as u32 / 4);
        assert_is_grid(&board, &grid);
    }
    let wide = Board::rectangle(9, 4).expect("a legal size");
    let grid = Grid::new(&foreign(&wide, 1)).expect("a grid");
    assert_eq!(grid.rows() * grid.columns(), 36);
}

#[test]
fn parts_that_no_edge_joins_stay_apart() {
    // The arrows are holes to a player that is given the rest as a graph.
    let position = Position::parse("q3q/*****/5/Q3Q b").expect("a position");
    let matrix = position.matrix_without_arrows(Directions::default());
    let board = Board::from_matrix(&matrix.view(), 5).expect("a consistent graph");
    let grid = Grid::new(&board).expect("a grid");
    assert_is_grid(&board, &grid);
    assert_is_grid(&foreign(&board, 7), &Grid::new(&foreign(&board, 7)).expect("a grid"));
    assert_eq!(position.queens(Color::Black).len(), 2);
}

#[test]
fn other_graphs_have_no_grid() {
    assert!(Grid::new(&without_an_axis(6)).is_none());
    assert!(Grid::new(&Board::new(Shape::Square, 65).expect("legal size")).is_none());
    assert!(Grid::new(&Board::rectangle(100, 2).expect("legal size")).is_none());
}
