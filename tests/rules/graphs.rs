//! Boards from matrices that are not grids.

use std::sync::Arc;

use amazons_rules::{Board, BoardError, Color, Csr, Directions, Move, MoveList, Position, Shape};
use sprs::{CsMatI, TriMatI};

use super::slow;

fn matrix(vertices: usize, edges: &[(usize, usize, u32)]) -> CsMatI<u32, i32> {
    let mut triplets = TriMatI::new((vertices, vertices));
    for &(from, to, label) in edges {
        triplets.add_triplet(from, to, label);
    }
    triplets.to_csr()
}

/// Both directions of an edge.
fn both(from: usize, to: usize, there: u32, back: u32) -> [(usize, usize, u32); 2] {
    [(from, to, there), (to, from, back)]
}

fn refused(vertices: usize, edges: &[(usize, usize, u32)]) -> BoardError {
    Board::from_matrix(&matrix(vertices, edges).view(), 1).expect_err("an inconsistent graph")
}

#[test]
fn either_encoding_of_a_shape_gives_the_same_game() {
    let (mut from_grid, mut from_matrix) = (MoveList::new(), MoveList::new());
    for shape in Shape::ALL {
        let board = Arc::new(Board::new(shape, 10).expect("legal size"));
        for directions in [Directions::Subject, Directions::Ring] {
            let other = Board::from_matrix(&board.matrix(directions).view(), 10).expect("a consistent graph");
            assert_eq!(other.matrix(Directions::Subject), board.matrix(directions), "labels are kept as they came");
            assert_eq!((other.vertex_count(), other.edge_count()), (board.vertex_count(), board.edge_count()));
            let other = Arc::new(other);
            for position in slow::game(&board, 3) {
                let queens = Color::ALL.map(|color| position.queens(color).to_vec());
                let arrows: Vec<_> = position.arrows().collect();
                let same =
                    Position::new(Arc::clone(&other), queens, &arrows, position.side_to_move()).expect("a position");
                position.legal_moves(&mut from_grid);
                same.legal_moves(&mut from_matrix);
                let sorted = |list: &MoveList| {
                    let mut moves = list.to_vec();
                    moves.sort_unstable();
                    moves
                };
                assert_eq!(sorted(&from_grid), sorted(&from_matrix));
            }
        }
    }
}

#[test]
fn a_graph_with_four_directions_only_moves_straight() {
    let grid = Board::new(Shape::Square, 6).expect("legal size").matrix(Directions::Subject);
    let mut triplets = TriMatI::<u32, i32>::new((36, 36));
    for (&label, (from, to)) in grid.iter().filter(|(label, _)| *label % 2 == 1) {
        triplets.add_triplet(from as usize, to as usize, label);
    }
    let board = Board::from_matrix(&triplets.to_csr().view(), 6).expect("a consistent graph");
    let position = Position::new(Arc::new(board), [vec![0], vec![35]], &[], Color::Black).expect("a position");
    // Five targets in each of two directions; from each the queen sees the rest of its row and of its column, but from the two
    // other corners it does not see White's corner.
    assert_eq!(position.perft(1), 2 * 5 * 10 - 2);
}

#[test]
fn lines_may_bend_and_meet_twice() {
    // A ring of four, cut into two lines with one label each: from 0 by way of 1 to 2, and from 0 by way of 3 to 2.
    let edges = [both(0, 1, 1, 5), both(1, 2, 1, 5), both(0, 3, 7, 3), both(3, 2, 7, 3)].concat();
    let board = Arc::new(Board::from_matrix(&matrix(4, &edges).view(), 2).expect("a consistent graph"));
    let position = Position::new(board, [vec![0], vec![]], &[], Color::Black).expect("a position");
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    for from_zero in [1, 2, 3] {
        let arrows = list.iter().filter(|mv| mv.to == from_zero).count();
        // 2 lies on both lines: each leads there, and from there each leads back to 0.
        let expected = if from_zero == 2 { 2 * 4 } else { 2 };
        assert_eq!(arrows, expected, "to {from_zero}");
    }
    assert_eq!(position.perft(1), list.len() as u64);
    for &mv in list.iter() {
        assert_eq!(position.is_legal(mv), Ok(()), "{mv:?}");
    }
    assert!(position.is_legal(Move { from: 0, to: 1, arrow: 3 }).is_err());
}

#[test]
fn inconsistent_labels_are_refused() {
    assert_eq!(refused(2, &both(0, 1, 9, 1)), BoardError::Label { from: 0, to: 1, label: 9 });
    assert_eq!(refused(2, &both(0, 1, 0, 1)), BoardError::Label { from: 0, to: 1, label: 0 });
    let fork = [both(0, 1, 1, 5), both(0, 2, 1, 5)].concat();
    assert_eq!(refused(3, &fork), BoardError::Ambiguous { from: 0, label: 1 });
    assert_eq!(refused(2, &[(0, 1, 1)]), BoardError::NoWayBack { from: 0, to: 1, label: 1 });
    assert_eq!(refused(2, &both(0, 1, 1, 1)), BoardError::NoWayBack { from: 0, to: 1, label: 1 });
    assert_eq!(refused(1, &[(0, 0, 1)]), BoardError::NoWayBack { from: 0, to: 0, label: 1 });
    let mixed = [both(0, 1, 1, 5), both(1, 2, 1, 6)].concat();
    assert_eq!(refused(3, &mixed), BoardError::NoWayBack { from: 1, to: 2, label: 1 });
    let circle = [both(0, 1, 1, 5), both(1, 2, 1, 5), both(2, 0, 1, 5)].concat();
    assert_eq!(refused(3, &circle), BoardError::Circle { vertex: 0, label: 1 });
}

#[test]
fn matrices_of_the_wrong_form_are_refused() {
    let rectangular = TriMatI::<u32, i32>::new((2, 3)).to_csr();
    assert!(matches!(Board::from_matrix(&rectangular.view(), 1), Err(BoardError::Matrix { rows: 2, columns: 3, .. })));
    let square = matrix(6, &both(0, 1, 1, 5));
    assert!(Board::from_matrix(&square.view(), 3).is_ok());
    for width in [0, 4, 7, 12] {
        assert!(matches!(Board::from_matrix(&square.view(), width), Err(BoardError::Matrix { .. })), "width {width}");
    }
    assert!(matches!(Board::from_matrix(&square.to_csc().view(), 1), Err(BoardError::Matrix { .. })));
}

#[test]
fn arrays_that_do_not_fit_together_are_no_matrix() {
    let is_matrix = |indptr: &[i32], indices: &[i32], labels: usize| {
        Csr::new(indptr.to_vec(), indices.to_vec(), vec![1; labels]).is_some()
    };
    assert!(is_matrix(&[0, 1, 2], &[1, 0], 2));
    for indptr in [&[][..], &[1, 1, 2], &[0, 1, 1], &[0, 1, 3], &[0, 3, 2], &[0, -1, 2]] {
        assert!(!is_matrix(indptr, &[1, 0], 2), "{indptr:?}");
    }
    for indices in [[1, 2], [-1, 0]] {
        assert!(!is_matrix(&[0, 1, 2], &indices, 2), "{indices:?}");
    }
    assert!(!is_matrix(&[0, 1, 2], &[1, 0], 1) && !is_matrix(&[0, 1, 2], &[1, 0], 3), "a label for each entry");
    assert!(!is_matrix(&[0, 2, 2], &[1, 0], 2) && !is_matrix(&[0, 2, 2], &[1, 1], 2), "columns ascend");
}
