use std::sync::Arc;

use amazons_rules::{Board, Color, IllegalMove, Move, Position, PositionError, Shape, Step};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::slow;

#[test]
fn agrees_with_the_slow_twin_on_random_triples() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut legal, mut illegal) = (0, 0);
    for position in slow::positions().step_by(5) {
        let moves = slow::moves(&position);
        let ids = u32::try_from(position.board().vertex_ids()).expect("a small board");
        let queens = position.queens(position.side_to_move());
        for _ in 0..200 {
            let from =
                if rng.random_bool(0.8) { queens[rng.random_range(0..queens.len())] } else { rng.random_range(0..ids) };
            let mv = Move { from, to: rng.random_range(0..ids + 1), arrow: rng.random_range(0..ids + 1) };
            let verdict = position.is_legal(mv);
            assert_eq!(verdict.is_ok(), moves.binary_search(&mv).is_ok(), "{mv:?} in {position}: {verdict:?}");
            *(if verdict.is_ok() { &mut legal } else { &mut illegal }) += 1;
        }
        for &mv in moves.iter().step_by(17) {
            assert_eq!(position.is_legal(mv), Ok(()), "{mv:?} in {position}");
        }
    }
    assert!(legal > 1000 && illegal > 1000, "{legal} legal, {illegal} illegal");
}

#[test]
fn an_arrow_back_passes_the_vertex_that_the_queen_left_or_lands_there() {
    let (mut back, mut clear) = (0, 0);
    for position in slow::positions().step_by(7) {
        for mv in slow::moves(&position).into_iter().step_by(3) {
            // Square by square from where the queen landed, in each of the eight directions.
            let ways = (0..4).flat_map(|axis| [(axis, 0), (axis, 1)]);
            let mut passes = ways.map(|(axis, side)| {
                let next = |&vertex: &u32| position.board().neighbors(vertex)[axis][side];
                let way: Vec<_> = std::iter::successors(next(&mv.to), next).collect();
                let end = way.iter().position(|&vertex| vertex == mv.arrow)?;
                Some(way[..=end].contains(&mv.from))
            });
            let expected = passes.find_map(|passes| passes).expect("a legal arrow flies along a line");
            assert_eq!(position.shoots_back(mv), expected, "{mv:?} in {position}");
            *(if expected { &mut back } else { &mut clear }) += 1;
        }
    }
    assert!(back > 500 && clear > 1000, "{back} back, {clear} clear");
}

#[test]
fn says_why_not() {
    // b2 is Black's, d4 White's, c4 an arrow; the hole is made by the shape.
    let position = Position::parse("5/2*Q1/5/1q3/5 b").expect("a position");
    let board = Arc::clone(position.board());
    let why = |text: &str| position.is_legal(board.parse_move(text).expect("a move")).expect_err("not legal");
    let at = |square: &str| board.parse_square(square).expect("a square");

    assert_eq!(why("a1-a2/a3"), IllegalMove::NoQueen(at("a1")));
    assert_eq!(why("c4-c3/c2"), IllegalMove::NoQueen(at("c4")));
    assert_eq!(why("d4-d5/d4"), IllegalMove::OpponentsQueen { from: at("d4"), owner: Color::White });
    assert_eq!(why("b2-b2/b3"), IllegalMove::NoStep { step: Step::Queen, at: at("b2") });
    assert_eq!(why("b2-b3/b3"), IllegalMove::NoStep { step: Step::Arrow, at: at("b3") });
    assert_eq!(why("b2-c4/c3"), IllegalMove::NotInLine { step: Step::Queen, from: at("b2"), target: at("c4") });
    assert_eq!(
        why("b2-e5/a1"),
        IllegalMove::Blocked { step: Step::Queen, from: at("b2"), target: at("e5"), at: at("d4") }
    );
    assert_eq!(
        why("b2-b4/c4"),
        IllegalMove::Blocked { step: Step::Arrow, from: at("b4"), target: at("c4"), at: at("c4") }
    );
    assert_eq!(
        why("b2-b4/e4"),
        IllegalMove::Blocked { step: Step::Arrow, from: at("b4"), target: at("e4"), at: at("c4") }
    );
    let off_board = |from, to, arrow| position.is_legal(Move { from, to, arrow }).expect_err("not legal");
    assert_eq!(off_board(u32::MAX, u32::MAX, u32::MAX), IllegalMove::OriginOffBoard(u32::MAX));
    assert_eq!(off_board(at("b2"), 25, 0), IllegalMove::TargetOffBoard { step: Step::Queen, target: 25 });
    assert_eq!(off_board(at("b2"), at("b3"), 99), IllegalMove::TargetOffBoard { step: Step::Arrow, target: 99 });
    assert_eq!(why("b2-b4/e4").to_string(), "the arrow's way from 6 to 9 is blocked on 7");
    assert_eq!(why("b2-c4/c3").to_string(), "no line leads the queen from 16 to 7");
    let described = |text: &str| why(text).describe(&board);
    assert_eq!(described("a1-a2/a3"), "there is no queen on a1 (20)");
    assert_eq!(described("d4-d5/d4"), "the queen on d4 (8) is white's");
    assert_eq!(described("b2-b2/b3"), "the queen does not leave b2 (16)");
    assert_eq!(described("b2-b3/b3"), "the arrow hits its own queen on b3 (11)");
    assert_eq!(described("b2-e5/a1"), "the queen's way from b2 (16) to e5 (4) is blocked on d4 (8)");
    assert_eq!(off_board(25, 0, 0).describe(&board), "origin 25 is not a vertex of the board");
    assert_eq!(off_board(at("b2"), 99, 0).describe(&board), "queen target 99 is not a vertex of the board");
}

#[test]
fn the_arrow_may_cross_or_hit_where_the_queen_stood() {
    let position = Position::parse("q4 b").expect("a position");
    let play = |text: &str| {
        let mut played = position.clone();
        played.try_play(position.board().parse_move(text).expect("a move")).map(|()| played)
    };
    let hit = play("a1-c1/a1").expect("legal");
    assert_eq!(hit.to_string(), "*1q2 w - - 0 2");
    let position = Position::parse("1q3 b").expect("a position");
    let crossed = position.is_legal(position.board().parse_move("b1-d1/a1").expect("a move"));
    assert_eq!(crossed, Ok(()));
}

#[test]
fn a_refused_move_changes_nothing() {
    let mut position = Position::start(Arc::new(Board::new(Shape::Clover, 10).expect("legal size")));
    let before = position.clone();
    assert!(position.try_play(Move { from: 1, to: 1, arrow: 1 }).is_err());
    assert_eq!(position, before);
}

#[test]
fn stones_need_a_vertex_of_their_own() {
    let board = Arc::new(Board::new(Shape::Donut, 9).expect("legal size"));
    let set_up = |queens, arrows: &[u32]| Position::new(Arc::clone(&board), queens, arrows, Color::Black);
    assert_eq!(set_up([vec![40], vec![]], &[]), Err(PositionError::NotAVertex(40)));
    assert_eq!(set_up([vec![], vec![]], &[81]), Err(PositionError::NotAVertex(81)));
    assert_eq!(set_up([vec![0], vec![0]], &[]), Err(PositionError::Occupied(0)));
    assert_eq!(set_up([vec![0], vec![1]], &[1]), Err(PositionError::Occupied(1)));
    let position = set_up([vec![0], vec![1]], &[2]).expect("a position");
    assert_eq!(position.queen_at(1), Some(Color::White));
    assert_eq!(position.queen_at(2), None);
    assert!(position.arrows().eq([2]));
}
