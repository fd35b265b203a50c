use std::sync::Arc;

use amazons_rules::{Board, Color, DistanceMap, Move, MoveList, Position, Shape};

use super::slow;

fn assert_same_moves(position: &Position, list: &mut MoveList) {
    let expected = slow::moves(position);
    position.legal_moves(list);
    let mut fast: Vec<Move> = list.to_vec();
    fast.sort_unstable();
    assert!(fast == expected, "moves differ in {position} on {:?}", position.board().shape());
    assert_eq!(position.perft(1), expected.len() as u64, "{position}");
    assert_eq!(position.has_moves(), !expected.is_empty(), "{position}");
    assert_eq!(position.has_one_move(), expected.len() == 1, "{position}");
}

#[test]
fn equals_the_slow_twin_on_thousands_of_positions_of_all_shapes() {
    let mut list = MoveList::new();
    let mut compared = 0;
    for position in slow::positions() {
        assert_same_moves(&position, &mut list);
        compared += 1;
    }
    assert!(compared > 5000, "only {compared} positions");
}

#[test]
fn equals_the_slow_twin_where_lines_span_several_words() {
    let mut list = MoveList::new();
    for (m, density, seed) in
        [(61, 0.3, 1), (62, 0.5, 2), (63, 0.3, 3), (64, 0.1, 4), (65, 0.05, 5), (130, 0.02, 6), (200, 0.1, 7)]
    {
        for shape in Shape::ALL {
            let board = Arc::new(Board::new(shape, m).expect("legal size"));
            assert_same_moves(&slow::scattered(&board, 3, density, seed), &mut list);
        }
    }
}

#[test]
fn equals_the_slow_twin_on_rectangles() {
    let mut list = MoveList::new();
    for (columns, rows) in [(1, 1), (1, 9), (7, 1), (5, 4), (3, 80), (100, 2)] {
        let board = Arc::new(Board::rectangle(columns, rows).expect("legal size"));
        for seed in 0..20 {
            let queens = (board.vertex_count() / 4).min(4);
            assert_same_moves(&slow::scattered(&board, queens, 0.2, seed), &mut list);
        }
    }
}

#[test]
fn undo_restores_everything() {
    let mut list = MoveList::new();
    for position in slow::positions().step_by(7) {
        position.legal_moves(&mut list);
        let mut walked = position.clone();
        for &mv in list.iter().step_by(11) {
            walked.play_unchecked(mv);
            assert_ne!(walked, position);
            assert_eq!(walked.side_to_move(), position.side_to_move().opposite());
            assert!(!walked.is_free(mv.arrow) && !walked.is_free(mv.to));
            assert_eq!(walked.is_free(mv.from), mv.arrow != mv.from);
            walked.undo(mv);
            assert_eq!(walked, position, "after {mv:?}");
        }
    }
}

#[test]
fn a_copy_over_an_older_position_is_equal() {
    let mut copy = Position::start(Arc::new(Board::new(Shape::Square, 20).expect("legal size")));
    for position in slow::positions().step_by(101) {
        copy.clone_from(&position);
        assert_eq!(copy, position);
        assert_eq!(copy.perft(1), position.perft(1));
    }
}

#[test]
fn slides_are_what_a_queen_sees() {
    for position in slow::positions().step_by(13) {
        let cells = slow::Cells::new(&position);
        for vertex in position.board().vertices() {
            let mut fast: Vec<_> = position.slides(vertex).flatten().copied().collect();
            let mut expected = cells.seen_from(vertex);
            fast.sort_unstable();
            expected.sort_unstable();
            assert_eq!(fast, expected, "from {vertex} in {position}");
        }
    }
}

#[test]
fn slides_and_shots_are_the_stages_of_all_legal_moves() {
    for position in slow::positions().step_by(13) {
        let mut staged = Vec::new();
        for &from in position.queens(position.side_to_move()) {
            for &to in position.slides(from).flatten() {
                staged.extend(position.shots(from, to).flatten().map(|&arrow| Move { from, to, arrow }));
            }
        }
        let mut expected = slow::moves(&position);
        staged.sort_unstable();
        expected.sort_unstable();
        assert_eq!(staged, expected, "in {position}");
    }
}

#[test]
fn distances_equal_a_breadth_first_search_over_the_slow_twin() {
    for shape in Shape::ALL {
        let board = Arc::new(Board::new(shape, 9).expect("legal size"));
        let mut map = DistanceMap::new(&board);
        for position in slow::game(&board, 5) {
            let cells = slow::Cells::new(&position);
            for color in Color::ALL {
                let mut expected = vec![DistanceMap::UNREACHABLE; board.vertex_ids()];
                let mut frontier = position.queens(color).to_vec();
                for distance in 1.. {
                    frontier = frontier.iter().flat_map(|&from| cells.seen_from(from)).collect();
                    frontier.retain(|&to| expected[to as usize] == DistanceMap::UNREACHABLE);
                    frontier.iter().for_each(|&to| expected[to as usize] = distance);
                    if frontier.is_empty() {
                        break;
                    }
                }
                assert_eq!(map.queen_distances(&position, color), expected, "{color} in {position}");
            }
        }
    }
}
