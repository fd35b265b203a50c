//! Written games are read back, on every board.

use std::sync::Arc;

use amazons::record::RECORD_FORMAT;
use amazons_formats::{Format, Game, PGN, POSITION_TEXT, SGF};
use amazons_rules::{Board, Color, Directions, Position, Shape};

use super::{annotated_game, random_game, read, start, written};

const TEXTS: [Format; 4] = [SGF, PGN, POSITION_TEXT, RECORD_FORMAT];

/// Compares what every text keeps: the last position, and with moves also the board and the start.
fn survives(format: Format, game: &Game) -> Game {
    let text = written(format, game);
    let again = read(format, &text).unwrap_or_else(|error| panic!("{}: {error}\n{text}", format.name));
    assert_eq!(again.position().to_string(), game.position().to_string(), "{}:\n{text}", format.name);
    if format.name != "fen" {
        assert_eq!(again.moves().len(), game.moves().len());
        assert_eq!(again.board().shape(), game.board().shape(), "{text}");
        assert_eq!(again.board().matrix(Directions::Subject), game.board().matrix(Directions::Subject));
        assert_eq!(again.start().to_string(), game.start().to_string());
    }
    again
}

#[test]
fn random_games_on_every_board_survive() {
    for shape in Shape::ALL {
        let boards: Vec<Arc<Board>> = (5..=26).map(|m| Arc::new(Board::new(shape, m).expect("a size"))).collect();
        for seed in 0..3 * boards.len() as u64 {
            // Small boards are played to the end, large ones for a while.
            let board = &boards[seed as usize % boards.len()];
            let game = random_game(Position::start(Arc::clone(board)), 60, seed);
            for format in TEXTS {
                survives(format, &game);
            }
        }
    }
}

#[test]
fn everything_that_is_told_survives() {
    for (seed, shape) in (0..40_u64).zip(Shape::ALL.into_iter().cycle()) {
        let game = annotated_game(start(shape, 5 + (seed as u32) % 8), 7 * (seed as usize % 12), seed);
        for format in [SGF, PGN, RECORD_FORMAT] {
            let again = survives(format, &game);
            assert_eq!(again.details, game.details, "{}", written(format, &game));
            assert_eq!(again.outcome, game.outcome, "{}", written(format, &game));
            assert_eq!(again.comment, game.comment);
            assert_eq!(again.moves(), game.moves(), "{}", written(format, &game));
        }
    }
}

#[test]
fn rectangles_and_positions_in_the_middle_survive() {
    for (columns, rows) in [(1, 1), (2, 1), (1, 9), (3, 7), (10, 8), (4, 4), (26, 5), (27, 3), (52, 52), (6, 52)] {
        let board = Arc::new(Board::rectangle(columns, rows).expect("a size"));
        let empty = Position::new(Arc::clone(&board), Default::default(), &[], Color::White).expect("nothing");
        let mut games = vec![random_game(empty, 0, 0)];
        if board.vertex_count() > 4 {
            let last = board.vertex_ids() as u32 - 1;
            let queens = Position::new(board, [vec![0, 1], vec![last]], &[2], Color::White).expect("room");
            games.push(random_game(queens, 30, 1));
        }
        for (game, format) in games.iter().flat_map(|game| TEXTS.map(|format| (game, format))) {
            survives(format, game);
        }
    }
    for (shape, number) in Shape::ALL.into_iter().zip([2_u32, 17, 4_000_000_000, 9]) {
        let middle = random_game(start(shape, 9), 9, 3).position().to_string();
        let (before, _) = middle.rsplit_once(' ').expect("a number");
        let board = Arc::new(Board::new(shape, 9).expect("a size"));
        let position = Position::parse_on(board, &format!("{before} {number}")).expect("our text");
        let game = random_game(position, 12, 4);
        for format in TEXTS {
            survives(format, &game);
        }
    }
}

#[test]
fn the_first_half_of_a_game_is_a_game() {
    let game = annotated_game(start(Shape::Donut, 7), 1000, 5);
    let half = game.until(9).expect("it is longer");
    assert_eq!((half.moves().len(), half.outcome.as_ref()), (9, None));
    assert_eq!(half.moves(), &game.moves()[..9]);
    assert_eq!(half.position(), &game.positions().nth(9).expect("a position").1);
    assert_eq!(game.until(game.moves().len()).as_ref(), Some(&game));
    assert_eq!(game.until(game.moves().len() + 1), None);
    assert_eq!(survives(SGF, &half).outcome, None);
}

/// From each format to each other and back; `AMAZONS_ROUND_TRIPS` asks for more than a few games.
#[test]
fn games_survive_every_pair_of_formats() {
    let games = std::env::var("AMAZONS_ROUND_TRIPS").ok().and_then(|text| text.parse().ok()).unwrap_or(48);
    for (seed, shape) in (0..games).zip(Shape::ALL.into_iter().cycle()) {
        let game = annotated_game(start(shape, 5 + (seed as u32) % 9), 40, seed);
        for there in [SGF, PGN, RECORD_FORMAT] {
            let once = survives(there, &game);
            for back in TEXTS {
                let again = survives(back, &once);
                assert_eq!(survives(there, &again).position().to_string(), game.position().to_string());
            }
        }
    }
}
