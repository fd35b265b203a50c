use amazons::referee::{EndEvent, Event, PlayerNumber};
use amazons_rules::Color;

use super::{Script, a_match, play};

#[test]
fn the_start_names_the_players_with_nothing_unprintable() {
    let (_, events, _) = play(&a_match("q2/3/2Q b", PlayerNumber::Two, None), [Script::Honest; 2]);
    let Event::Start(start) = &events[0] else { panic!("the first event is the start") };
    for player in &start.players {
        assert_eq!(player.name.as_deref(), Some("scripted\u{fffd}[31m"));
    }
    assert_eq!(start.players[PlayerNumber::Two].color, Color::Black);
    assert_eq!(start.first, PlayerNumber::Two);
}

#[test]
fn moves_carry_their_numbers_text_and_times() {
    let game = a_match("q2/3/2Q b", PlayerNumber::One, None);
    let (outcome, events, _) = play(&game, [Script::Honest; 2]);
    let mut position = game.position;
    let moves: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Move(mv) => Some(mv),
            _ => None,
        })
        .collect();
    for (ply, mv) in (1..).zip(&moves) {
        assert_eq!(mv.ply, ply);
        assert_eq!(mv.text, position.board().move_text(mv.played()));
        assert_eq!([mv.wall_us, mv.cpu_us, mv.idle_cpu_us, mv.left_us], [1500, 700, 20, 1480].map(Some));
        position.try_play(mv.played()).expect("the referee lets only legal moves pass");
    }
    assert_eq!(position, outcome.position);
    assert_eq!(moves.len(), outcome.moves as usize);
}

#[test]
fn the_hash_is_the_sha_256_of_the_position_text() {
    // `printf '1q/Q1 b - - 0 1' | sha256sum`
    assert_eq!(
        EndEvent::hash_of("1q/Q1 b - - 0 1"),
        "e6ac94c237369d89321988d059ce31db2ee5cf8c4504daad9df9b7ed5cbc9061"
    );
}

#[test]
fn events_are_one_json_object_each_and_read_back_equal() {
    let (_, events, _) = play(&a_match("q2/3/2Q b", PlayerNumber::One, None), [Script::Honest; 2]);
    for event in &events {
        let line = serde_json::to_string(event).expect("events can be written");
        assert!(!line.contains('\n'));
        assert_eq!(&serde_json::from_str::<Event>(&line).expect("and read"), event);
    }
    let first = serde_json::to_value(&events[0]).expect("a value");
    assert_eq!(first["event"], "start");
    assert_eq!(first["first"], 1);
    assert!(serde_json::from_str::<PlayerNumber>("3").is_err());
}
