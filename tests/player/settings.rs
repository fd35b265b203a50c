//! Players' settings in the environment.

use std::sync::Arc;
use std::time::Duration;

use amazons_player::rules::{Board, Color, Position, Shape};
use amazons_player::{GameInfo, TimeLimits};

fn game(color: Color, vars: &[(&str, &str)]) -> GameInfo {
    let board = Board::new(Shape::Square, 8).expect("the size is legal");
    GameInfo::new(Arc::new(board), color, |name| vars.iter().find(|var| var.0 == name).map(|var| var.1.to_owned()))
}

fn limits(vars: &[(&str, &str)]) -> TimeLimits {
    game(Color::Black, vars).limits
}

#[test]
fn without_limits_no_move_has_one_and_a_player_uses_one_core() {
    let limits = limits(&[]);
    assert_eq!((limits.cpu, limits.wall, limits.threads.get()), (None, None, 1));
    assert_eq!((limits.are_told(), limits.per_move()), (false, None));
}

#[test]
fn the_tighter_limit_counts() {
    let millis = Duration::from_millis;
    let both = limits(&[("AMAZONS_MOVE_CPU_MS", "300"), ("AMAZONS_MOVE_WALL_MS", "200"), ("AMAZONS_THREADS", "4")]);
    assert_eq!((both.cpu, both.wall, both.threads.get()), (Some(millis(300)), Some(millis(200)), 4));
    // Four threads use up 300 ms together in 75.
    assert!(both.are_told());
    assert_eq!(both.per_move(), Some(millis(75)));
    let wall = limits(&[("AMAZONS_MOVE_CPU_MS", "900"), ("AMAZONS_MOVE_WALL_MS", "200"), ("AMAZONS_THREADS", "4")]);
    assert_eq!(wall.per_move(), Some(millis(200)));
    assert_eq!(limits(&[("AMAZONS_MOVE_CPU_MS", "300")]).per_move(), Some(millis(300)));
    assert_eq!(limits(&[("AMAZONS_MOVE_WALL_MS", " 15000\n")]).per_move(), Some(millis(15_000)));
}

#[test]
fn a_game_s_time_is_no_move_s() {
    let millis = Duration::from_millis;
    let game =
        limits(&[("AMAZONS_GAME_MS", "60000"), ("AMAZONS_INCREMENT_MS", "500"), ("AMAZONS_MOVE_CPU_MS", "9000")]);
    assert_eq!((game.game, game.increment), (Some(millis(60_000)), millis(500)));
    assert_eq!(game.per_move(), Some(millis(9000)));
    let game = limits(&[("AMAZONS_GAME_MS", "60000")]);
    assert_eq!((game.are_told(), game.per_move()), (true, None));
}

#[test]
fn nonsense_counts_as_not_set() {
    let nonsense = [("AMAZONS_MOVE_CPU_MS", "soon"), ("AMAZONS_MOVE_WALL_MS", "-5"), ("AMAZONS_THREADS", "0")];
    assert_eq!(limits(&nonsense), limits(&[]));
}

fn random_game(color: Color, vars: &[(&str, &str)]) -> Vec<String> {
    let game = game(color, vars);
    let mut position = Position::start(Arc::clone(&game.board));
    let mut rng = game.rng();
    let mut moves = Vec::new();
    while let Some(mv) = position.random_move(&mut rng) {
        moves.push(game.board.move_text(mv));
        position.play_unchecked(mv);
    }
    moves
}

#[test]
fn a_seed_gives_the_same_game_again() {
    let seed = [("AMAZONS_SEED", "18446744073709551615")];
    assert_eq!(random_game(Color::Black, &seed), random_game(Color::Black, &seed));
    assert_ne!(random_game(Color::Black, &seed), random_game(Color::Black, &[("AMAZONS_SEED", "7")]));
}

#[test]
fn two_players_with_one_seed_do_not_draw_the_same_numbers() {
    let seed = [("AMAZONS_SEED", "7")];
    assert_ne!(random_game(Color::Black, &seed), random_game(Color::White, &seed));
}

#[test]
fn without_a_seed_games_differ() {
    assert_ne!(random_game(Color::Black, &[]), random_game(Color::Black, &[]));
}

#[test]
fn options_are_words_with_values() {
    let game = game(Color::Black, &[("AMAZONS_OPTIONS", " nodes=20000\tbook=no depth=x deep level= ")]);
    assert_eq!(game.option::<u64>("nodes"), Some(20_000));
    assert_eq!(game.option::<String>("book").as_deref(), Some("no"));
    let none = ["depth", "deep", "level", "node", "odes", ""].map(|name| game.option::<u64>(name));
    assert_eq!(none, [None; 6]);
    assert_eq!(self::game(Color::Black, &[]).option::<u64>("nodes"), None);
}
