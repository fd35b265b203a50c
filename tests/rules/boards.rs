use std::sync::Arc;

use amazons_rules::{Board, BoardError, Color, Directions, Position, Shape};

/// The start of a board drawn from the top: `.` free, `q` and `Q` queens, blank a hole.
fn picture(shape: Shape, m: u32) -> Vec<String> {
    let board = Arc::new(Board::new(shape, m).expect("legal size"));
    let position = Position::start(Arc::clone(&board));
    let cell = |vertex| match position.queen_at(vertex) {
        Some(Color::Black) => 'q',
        Some(Color::White) => 'Q',
        None if board.is_vertex(vertex) => '.',
        None => ' ',
    };
    (0..m).map(|row| (0..m).map(|column| cell(row * m + column)).collect()).collect()
}

#[test]
fn the_four_shapes_look_like_the_pictures() {
    assert_eq!(picture(Shape::Square, 5), [".q.q.", "q...q", ".....", "Q...Q", ".Q.Q."]);
    assert_eq!(
        picture(Shape::Donut, 9),
        [
            "..q...q..",
            ".........",
            "q.......q",
            "...   ...",
            "...   ...",
            "...   ...",
            "Q.......Q",
            ".........",
            "..Q...Q.."
        ]
    );
    assert_eq!(
        picture(Shape::Clover, 10),
        [
            ".q.q..q.q.",
            "q........q",
            "..  ..  ..",
            "q.  ..  .q",
            "..........",
            "..........",
            "Q.  ..  .Q",
            "..  ..  ..",
            "Q........Q",
            ".Q.Q..Q.Q.",
        ]
    );
    assert_eq!(
        picture(Shape::FigureEight, 8),
        ["..q..q..", "........", "q...  .q", "....  ..", "..  ....", "Q.  ...Q", "........", "..Q..Q.."]
    );
    assert_eq!(
        picture(Shape::FigureEight, 7),
        [".q...q.", "q.....q", ".... ..", ".. . ..", ".. ....", "Q.....Q", ".Q...Q."]
    );
}

#[test]
fn all_shapes_of_all_small_sizes_are_symmetric() {
    for shape in Shape::ALL {
        for m in 5..=60 {
            let board = Board::new(shape, m).expect("legal size");
            for row in 0..m {
                for column in 0..m {
                    let here = board.is_vertex(row * m + column);
                    let opposite = board.is_vertex((m - 1 - row) * m + (m - 1 - column));
                    assert_eq!(here, opposite, "{shape} {m}: half turn of ({row}, {column})");
                    // The odd figure-eight is the one that a diagonal does not mirror: its holes stand upright.
                    let mirrored = shape != Shape::FigureEight || m % 2 == 0;
                    let transposed = board.is_vertex(column * m + row);
                    assert!(!mirrored || here == transposed, "{shape} {m}: transposition of ({row}, {column})");
                }
            }
        }
    }
}

#[test]
fn queens_stand_free_on_every_size() {
    for shape in Shape::ALL {
        for m in (5..=75).chain([99, 100, 101, 110, 119, 120, 200, 333]) {
            let board = Board::new(shape, m).expect("legal size");
            let [black, white] = board.starting_queens();
            assert_eq!(black.len(), 4 * (m as usize / 10 + 1));
            let mirrored: Vec<u32> = black.iter().map(|queen| (m - 1 - queen / m) * m + queen % m).collect();
            assert_eq!(white, mirrored, "{shape} {m}");
            let all: Vec<(u32, u32)> = black.iter().chain(&white).map(|queen| (queen / m, queen % m)).collect();
            for (index, &(row, column)) in all.iter().enumerate() {
                let corner = (row == 0 || row == m - 1) && (column == 0 || column == m - 1);
                assert!(!corner && board.is_vertex(row * m + column), "{shape} {m}: ({row}, {column})");
                let crowded = all[..index].iter().any(|other| {
                    (other.0 == row && other.1.abs_diff(column) < 2) || (other.1 == column && other.0.abs_diff(row) < 2)
                });
                assert!(!crowded, "{shape} {m}: two queens side by side at ({row}, {column})");
            }
        }
    }
}

#[test]
fn directions_label_the_edges() {
    let board = Board::new(Shape::Square, 5).expect("legal size");
    // Around the centre of the 5 x 5 board: N, NE, E, SE, S, SW, W, NW.
    let around = [7, 8, 13, 18, 17, 16, 11, 6];
    for (directions, labels) in
        [(Directions::Subject, [1, 2, 7, 4, 5, 6, 3, 8]), (Directions::Ring, [1, 2, 3, 4, 5, 6, 7, 8])]
    {
        let matrix = board.matrix(directions);
        assert!(matrix.is_csr());
        assert_eq!(matrix.outer_view(12).expect("a row").nnz(), 8);
        for (to, label) in around.into_iter().zip(labels) {
            assert_eq!(matrix.get(12, to), Some(&label), "{directions}: 12 -> {to}");
        }
    }
}

#[test]
fn holes_are_empty_rows() {
    let board = Board::new(Shape::Donut, 9).expect("legal size");
    let matrix = board.matrix(Directions::Subject);
    assert_eq!((matrix.rows(), matrix.cols(), board.vertex_ids()), (81, 81, 81));
    let empty = (0..81).filter(|&row| matrix.outer_view(row).is_some_and(|row| row.nnz() == 0)).count();
    assert_eq!(empty, 9);
    assert_eq!(board.vertices().count(), board.vertex_count());
    assert!(!board.is_vertex(81) && !board.is_vertex(u32::MAX));
}

#[test]
fn sizes_out_of_range_are_refused() {
    for m in [0, 1, 4, 1001, u32::MAX] {
        let error = Board::new(Shape::Clover, m).expect_err("out of range");
        assert_eq!(error, BoardError::Size(m));
        assert_eq!(error.to_string(), format!("board size {m} is out of range: use 5 to 1000"));
    }
    for (columns, rows) in [(0, 5), (5, 0), (1001, 5), (5, 1001)] {
        assert_eq!(Board::rectangle(columns, rows).expect_err("out of range"), BoardError::Rectangle { columns, rows });
    }
}

#[test]
fn shapes_are_read_from_their_letters() {
    for shape in Shape::ALL {
        assert_eq!(shape.code().to_string().parse(), Ok(shape));
    }
    for text in ["", "x", "cc", "C"] {
        assert!(text.parse::<Shape>().is_err(), "{text:?}");
    }
    assert_eq!("x".parse::<Shape>().expect_err("unknown").to_string().lines().count(), 1);
}

#[test]
fn large_boards_build() {
    // The largest there is, and the other shapes beyond any board that is played on.
    for (shape, m, queens) in [
        (Shape::Square, 1000, 404),
        (Shape::Donut, 499, 200),
        (Shape::Clover, 499, 200),
        (Shape::FigureEight, 499, 200),
    ] {
        let position = Position::start(Arc::new(Board::new(shape, m).expect("legal size")));
        assert_eq!(position.queens(Color::White).len(), queens);
        assert!(position.has_moves());
    }
}

#[test]
fn a_square_rectangle_is_the_square_shape() {
    let board = Board::rectangle(10, 10).expect("legal size");
    assert_eq!(board.shape(), Some(Shape::Square));
    assert_eq!(Board::rectangle(10, 9).expect("legal size").shape(), None);
    assert_eq!(Board::rectangle(4, 4).expect("legal size").shape(), None);
    assert_eq!(Board::rectangle(5, 4).expect("legal size").starting_queens(), [Vec::<u32>::new(), Vec::new()]);
}

#[test]
fn arrows_that_stand_become_holes_of_the_matrix() {
    let position = Position::parse("q1*/3/*1Q b").expect("a position");
    let matrix = position.matrix_without_arrows(Directions::Subject);
    let board = Board::from_matrix(&matrix.view(), 3).expect("a consistent graph");
    assert_eq!(board.vertices().collect::<Vec<_>>(), [0, 1, 3, 4, 5, 7, 8]);
    let queens = Color::ALL.map(|color| position.queens(color).to_vec());
    let same = Position::new(Arc::new(board), queens, &[], Color::Black).expect("a position");
    assert_eq!((same.perft(1), same.perft(2)), (position.perft(1), position.perft(2)));
    let bare = Position::start(Arc::new(Board::new(Shape::Donut, 7).expect("legal size")));
    assert_eq!(bare.matrix_without_arrows(Directions::Ring), bare.board().matrix(Directions::Ring));
}
