//! The output for a person.

use std::sync::Arc;

use amazons::referee::{Call, Clock, Event, Observer, Outcome, PlayerNumber, Termination};
use amazons::terminal::{Boards, Narrator, Palette, draw_board};
use amazons_rules::{Board, Move, Position, Shape};

use crate::referee::{Script, a_match, play};

/// Plays a game between two scripts.
fn game(scripts: [Script; 2], max_moves: Option<u32>) -> (Outcome, Vec<Event>) {
    let (outcome, events, _) = play(&a_match("q2q/4/4/Q2Q b", PlayerNumber::One, max_moves), scripts);
    (outcome, events)
}

fn observe(mut narrator: Narrator<&mut Vec<u8>>, events: &[Event], position: &Position) {
    for event in events {
        narrator.observe(event, position).expect("memory takes everything");
    }
}

/// Narrates a game between two scripts.
fn told(scripts: [Script; 2], max_moves: Option<u32>, boards: Boards) -> String {
    let (outcome, events) = game(scripts, max_moves);
    let mut bytes = Vec::new();
    observe(Narrator::new(&mut bytes, Palette::Plain, boards), &events, &outcome.position);
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
    assert_eq!(last([Script::Honest; 2], Some(3)), "nobody wins after 3 moves: the game reached its limit of moves");
    assert_eq!(
        last([Script::Honest, Script::Answers(1, Move { from: 12, to: 12, arrow: 0 })], None),
        format!("{one} wins after 1 move: {two} made an illegal move in play")
    );
    assert_eq!(
        last([Script::Fails(Call::Play, 2, Termination::Timeout), Script::Honest], None),
        format!("{two} wins after 2 moves: {one} ran out of time in play")
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
fn a_quiet_game_tells_a_fault_in_its_only_line() {
    let (outcome, events) = game([Script::Fails(Call::Play, 1, Termination::Crash), Script::Honest], None);
    let mut bytes = Vec::new();
    observe(Narrator::quiet(&mut bytes), &events, &outcome.position);
    let text = String::from_utf8(bytes).expect("text");
    assert!(text.ends_with(" in play: scripted\n") && text.lines().count() == 1, "{text}");
}

#[test]
fn a_moves_time_is_what_is_charged_and_the_wall_clock_when_that_is_far_beyond() {
    let (outcome, mut events) = game([Script::Honest; 2], Some(1));
    let mut shown = |clock, threads, [wall, cpu, idle]: [u64; 3]| {
        for event in &mut events {
            match event {
                Event::Start(start) => {
                    let limits = start.limits.as_mut().expect("our own game");
                    (limits.clock, limits.threads) = (clock, threads);
                }
                Event::Move(mv) => (mv.wall_us, mv.cpu_us, mv.idle_cpu_us) = (Some(wall), Some(cpu), Some(idle)),
                _ => {}
            }
        }
        let mut bytes = Vec::new();
        observe(Narrator::new(&mut bytes, Palette::Plain, Boards::Never), &events, &outcome.position);
        let text = String::from_utf8(bytes).expect("text");
        let line = text.lines().find(|line| line.starts_with("  1. ")).expect("a move").to_owned();
        line.rsplit_once(" (").expect("a time").1.to_owned()
    };
    assert_eq!(shown(Clock::Cpu, 1, [1500, 700, 100]), "0.8 ms)");
    assert_eq!(shown(Clock::Cpu, 1, [3_000_300, 200, 0]), "0.2 ms, 3000.3 ms on the clock)");
    assert_eq!(shown(Clock::Cpu, 1, [10_150, 200, 0]), "0.2 ms)", "not over 10 ms more");
    assert_eq!(shown(Clock::Cpu, 1, [39_000, 20_000, 0]), "20.0 ms)", "not over twice as much");
    assert_eq!(shown(Clock::Cpu, 4, [40_000, 100_000, 20_000]), "30.0 ms)", "four threads share it");
    assert_eq!(shown(Clock::Wall, 1, [3_000_300, 200, 0]), "3000.3 ms)");
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
    assert!(text.contains("crash in play: scripted\n  its last output:\n  | line 0\\u{7}\n"), "{text}");
    assert!(text.contains("  | line 2\\u{7}\n  | ...\n  | line 13\\u{7}\n"), "{text}");
    assert!(text.contains("  | line 19\\u{7}\n  its output is kept in player 1.log\n"), "{text}");
}
