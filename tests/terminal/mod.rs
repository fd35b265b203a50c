//! What a person sees.

use std::sync::Arc;

use amazons::referee::{Call, Observer, PlayerNumber, Termination};
use amazons::terminal::{Boards, Narrator, Palette, draw_board};
use amazons_rules::{Board, Move, Position, Shape};

use crate::referee::{Script, a_match, play};

/// Tells a game between two scripts.
fn told(scripts: [Script; 2], max_moves: Option<u32>, boards: Boards) -> String {
    let game = a_match("q2q/4/4/Q2Q b", PlayerNumber::One, max_moves);
    let (outcome, events, _) = play(&game, scripts);
    let mut bytes = Vec::new();
    let mut narrator = Narrator::new(&mut bytes, Palette::Plain, boards);
    for event in &events {
        narrator.observe(event, &outcome.position).expect("memory takes everything");
    }
    String::from_utf8(bytes).expect("text")
}

#[test]
fn holes_queens_arrows_and_the_last_move_can_be_told_apart() {
    let board = Arc::new(Board::new(Shape::Donut, 5).expect("legal size"));
    let mut position = Position::start(board);
    let mv = Move { from: 5, to: 10, arrow: 15 };
    assert!(position.try_play(mv).is_err(), "a white queen stands there");
    let mv = Move { from: 1, to: 0, arrow: 1 };
    position.try_play(mv).expect("legal");
    let drawn = "  a b c d e\n\
                 5 B x . B . 5\n\
                 4 B       B 4\n\
                 3 .       . 3\n\
                 2 W       W 2\n\
                 1 . W . W . 1\n  \
                   a b c d e\n";
    assert_eq!(draw_board(&position, Some(mv), Palette::Plain), drawn);
    let coloured = draw_board(&position, Some(mv), Palette::Ansi);
    assert!(coloured.contains("\x1b[7;31m x\x1b[0m") && coloured.contains("\x1b[1;7;36m B\x1b[0m"));
    assert_eq!(without_colours(&coloured), drawn);
}

/// Removes what a terminal would not show.
fn without_colours(text: &str) -> String {
    let mut pieces = text.split('\x1b');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + piece.split_once('m').map_or("", |(_, rest)| rest))
}

#[test]
fn wide_boards_stay_aligned() {
    let board = Arc::new(Board::new(Shape::Square, 30).expect("legal size"));
    let mut position = Position::start(board);
    let mut rng = <rand_xoshiro::Xoshiro256PlusPlus as rand::SeedableRng>::seed_from_u64(1);
    let mv = position.random_move(&mut rng).expect("a move");
    position.play_unchecked(mv);
    let drawn = draw_board(&position, Some(mv), Palette::Plain);
    let widths: Vec<usize> =
        drawn.lines().map(|line| line.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end().len()).collect();
    assert_eq!(drawn.lines().count(), 32);
    assert!(widths.iter().all(|width| *width == 2 + 3 * 30), "{widths:?}");
    assert_eq!(drawn.matches('+').count(), usize::from(mv.arrow != mv.from));
}

#[test]
fn the_last_line_says_who_won_how_and_in_how_many_moves() {
    let last =
        |scripts, max_moves| told(scripts, max_moves, Boards::Never).lines().last().map(str::to_owned).expect("a line");
    let one = "player 1 (scripted\u{fffd}[31m)";
    let two = "player 2 (scripted\u{fffd}[31m)";
    let won = last([Script::Honest; 2], None);
    assert!(won.contains(" wins after ") && won.ends_with(" cannot move"), "{won}");
    assert_eq!(last([Script::Honest; 2], Some(3)), "nobody wins: the limit of 3 moves is reached");
    assert_eq!(
        last([Script::Honest, Script::Answers(1, Move { from: 12, to: 12, arrow: 0 })], None),
        format!("{one} wins after 1 move: illegal move of {two} in play: a1-a1/a4: the queen does not leave a1 (12)")
    );
    assert_eq!(
        last([Script::Fails(Call::Play, 2, Termination::Timeout), Script::Honest], None),
        format!("{two} wins after 2 moves: timeout of {one} in play: scripted")
    );
    let load = |termination| Script::Fails(Call::Load, 1, termination);
    assert_eq!(
        last([load(Termination::LoadError), load(Termination::Crash)], None),
        "nobody wins after 0 moves: load error of both players"
    );
    let void = last([Script::HostFails(Call::Play, 1), Script::Honest], None);
    assert!(void.starts_with("the game is void after 0 moves: ") && void.contains("scripted"), "{void}");
}

#[test]
fn boards_are_drawn_as_often_as_asked() {
    let boards = |wanted, max_moves| told([Script::Honest; 2], max_moves, wanted).matches("  a b c d\n4").count();
    assert_eq!(boards(Boards::Every, Some(3)), 4);
    assert_eq!(boards(Boards::Ends, Some(3)), 2);
    assert_eq!(boards(Boards::Never, Some(3)), 0);
}

#[test]
fn faults_show_what_the_player_printed_last() {
    let text = told([Script::Fails(Call::Play, 1, Termination::Crash), Script::Honest], None, Boards::Never);
    assert!(text.contains("crash in play: scripted\n  its last output:\n  | line 10\\u{7}\n"), "{text}");
    assert!(text.contains("  | line 19\\u{7}\n  its output is kept in player 1.log\n"), "{text}");
}
