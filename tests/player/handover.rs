//! The data handed to a player.

use std::collections::HashSet;
use std::slice;

use amazons_player::abi::SPMATRIX_CSR;
use amazons_player::graph::{read_board, read_queens};
use amazons_player::rules::{Board, Directions, Shape};
use amazons_player::{Handover, HandoverError};
use sprs::CsMatI;

fn handover(board: &Board, directions: Directions) -> Handover {
    let [black, white] = board.starting_queens();
    Handover::new(board.matrix(directions).view(), [&black, &white]).expect("every board can be handed over")
}

/// Copies an array of C.
fn array<T: Copy>(start: *const T, len: usize) -> Vec<T> {
    assert!(!start.is_null());
    // SAFETY: the tests read what the specification promises; tools like valgrind would report any excess.
    unsafe { slice::from_raw_parts(start, len) }.to_vec()
}

#[test]
fn every_field_is_as_specified() {
    for shape in Shape::ALL {
        for (m, directions) in [(5, Directions::Subject), (9, Directions::Ring), (30, Directions::Subject)] {
            let board = Board::new(shape, m).expect("the size is legal");
            let matrix = board.matrix(directions);
            let n = (m * m) as usize;
            let given = handover(&board, directions);

            let graph = array(given.graph(), 1)[0];
            assert_eq!(graph.num_vertices, m * m);
            let t = array(graph.t, 1)[0];
            assert_eq!((t.size1, t.size2), (n, n));
            assert_eq!((t.nzmax, t.nz), (board.edge_count(), board.edge_count()));
            assert_eq!((t.tree.is_null(), t.pool.is_null(), t.node_size), (true, true, 0));
            assert_eq!((t.sptype, t.spflags), (SPMATRIX_CSR, 0));
            assert_eq!(array(t.p, n + 1), &*matrix.proper_indptr());
            assert_eq!(array(t.i, t.nz), matrix.indices());
            assert_eq!(array(t.data, t.nz), matrix.data());
            assert_eq!(array(t.work.cast::<u32>(), n), vec![0; n]);
            assert!(array(t.p, n + 1).windows(2).all(|ends| ends[1] - ends[0] <= 8));

            let queens = array(given.queens(), 2);
            let expected = board.starting_queens();
            assert_eq!(given.num_queens() as usize, expected[0].len());
            for (&own, expected) in queens.iter().zip(&expected) {
                assert_eq!(&array(own, expected.len()), expected);
            }
        }
    }
}

#[test]
fn labels_are_those_of_the_asked_encoding() {
    let board = Board::rectangle(2, 2).expect("it is a board");
    for (directions, east) in [(Directions::Subject, 7), (Directions::Ring, 3)] {
        let given = Handover::new(board.matrix(directions).view(), [&[0], &[3]]).expect("it is a good graph");
        let t = array(array(given.graph(), 1)[0].t, 1)[0];
        // The subject's example: from vertex 2 one goes east to vertex 3.
        let row = array(t.p, 5);
        let edge =
            (row[2]..row[3]).map(|k| k as usize).find(|&k| array(t.i, t.nz)[k] == 3).expect("2 and 3 are joined");
        assert_eq!(array(t.data, t.nz)[edge], east);
    }
}

#[test]
fn every_piece_is_a_block_of_its_own() {
    let board = Board::new(Shape::Clover, 10).expect("the size is legal");
    let mut given = handover(&board, Directions::Subject);
    let graph = array(given.graph(), 1)[0];
    let t = array(graph.t, 1)[0];
    let queens = array(given.queens(), 2);
    let blocks = [
        given.graph().cast(),
        graph.t.cast(),
        t.i.cast(),
        t.p.cast(),
        t.data.cast(),
        t.work,
        queens[0].cast(),
        queens[1].cast(),
    ];
    assert_eq!(HashSet::from(blocks).len(), blocks.len());
    given.release();
    for block in blocks {
        // SAFETY: released blocks belong to the player, here this test; `free` aborts on blocks not from `malloc`.
        unsafe { libc::free(block) };
    }
    // The outer array is still the server's and still alive.
    assert_eq!(array(given.queens(), 2), queens);
}

#[test]
fn what_is_handed_over_can_be_read_back() {
    for shape in Shape::ALL {
        let board = Board::new(shape, 11).expect("the size is legal");
        let given = handover(&board, Directions::Ring);
        // SAFETY: a handover follows the header.
        let read = unsafe { read_board(given.graph()) }.expect("our own graph is readable");
        assert_eq!(read.matrix(Directions::Subject), board.matrix(Directions::Ring));
        // SAFETY: as above.
        let queens = unsafe { read_queens(given.queens(), given.num_queens(), read.vertex_ids()) };
        assert_eq!(queens.expect("our own queens are readable"), board.starting_queens());
    }
}

#[test]
fn a_board_without_edges_or_queens_is_still_no_null() {
    let board = Board::rectangle(1, 1).expect("it is a board");
    let given = Handover::new(board.matrix(Directions::Subject).view(), [&[], &[]]).expect("it is a graph");
    let t = array(array(given.graph(), 1)[0].t, 1)[0];
    assert_eq!((t.nz, t.i.is_null(), t.data.is_null(), t.work.is_null()), (0, false, false, false));
    assert_eq!(array(given.queens(), 2).iter().filter(|own| own.is_null()).count(), 0);
}

#[test]
fn graphs_that_players_could_not_read_are_refused() {
    let refuse = |matrix: &CsMatI<u32, i32>, queens: [&[u32]; 2]| {
        Handover::new(matrix.view(), queens).expect_err("it is no good graph").to_string()
    };
    let matrix = Board::new(Shape::Square, 5).expect("the size is legal").matrix(Directions::Subject);
    assert_eq!(refuse(&matrix, [&[1], &[25]]), "queen on vertex 25, the graph has 25");
    assert_eq!(refuse(&matrix, [&[1, 2], &[3]]), "the players have 2 and 1 queens, they need equally many");
    assert_eq!(refuse(&matrix.into_csc(), [&[], &[]]), "the matrix must be stored by rows (CSR)");

    let flat = CsMatI::new((1, 2), vec![0, 1], vec![1], vec![7]);
    assert_eq!(refuse(&flat, [&[], &[]]), "the matrix must be square, not 1 x 2");
    let zero = CsMatI::new((2, 2), vec![0, 1, 2], vec![1, 0], vec![7, 0]);
    assert_eq!(refuse(&zero, [&[], &[]]), "the edge from 1 to 0 has no direction");
    let mut star = vec![9; 11];
    star[0] = 0;
    let star = CsMatI::new((10, 10), star, (1..10).collect(), vec![1; 9]);
    assert_eq!(refuse(&star, [&[], &[]]), "vertex 0 has 9 edges, at most 8 are allowed");
    assert!(matches!(
        Handover::new(star.view(), [&[], &[]]),
        Err(HandoverError::TooManyEdges { vertex: 0, degree: 9 })
    ));
}
