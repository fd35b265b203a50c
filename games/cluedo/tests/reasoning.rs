//! AIs that reason: what they are told, what they may do, and how strong they are.

use std::time::Duration;

use amazons_mpi::{Keep, ThreadWorld, TracedWorld, World};
use cluedo::classic::{
    AiType, Answered, Cell, GAME_TAG, LineUp, Master, Message, Recorder, Setup, Streams, TableError, Tally,
    host_threads, replay, seat_ai, serve,
};
use cluedo::game::{Asking, Event, Seats};

use crate::faults::send;
use crate::ranks::Nobody;

fn tally(types: &[AiType], games: u64) -> Tally {
    let ais = LineUp::new(types).expect("2 to 5 AIs");
    Cell::new(ais, Asking::Cyclic).play(13, 0..games)
}

#[test]
fn memory_ais_play_like_default_ones() {
    // Means and deviations of default AIs.
    let known = [(7.1852, 2.2649), (8.738, 2.847), (9.174, 3.075), (9.305, 3.223)];
    const GAMES: u64 = 20_000;
    for (ais, (mean, deviation)) in (2..=5).zip(known) {
        let tally = tally(&vec![AiType::Memory; ais], GAMES);
        let (found, spread) = tally.mean_and_deviation();
        let z = (found - mean) / (deviation / (GAMES as f64).sqrt());
        assert!(z.abs() < 4.0 && (spread / deviation - 1.0).abs() < 0.03, "{ais}: {found}, {spread}");
        assert_eq!((tally.wrong, tally.wins.iter().sum::<u64>()), (0, GAMES));
    }
}

#[test]
fn logic_ais_are_quicker_and_never_wrong() {
    // A round and more of default AIs' means is saved, except between two, who hear nothing of value.
    for (ais, most) in (2..=5).zip([7.4, 6.8, 6.5, 6.5]) {
        let tally = tally(&vec![AiType::Logic; ais], 1_000);
        let (mean, _) = tally.mean_and_deviation();
        println!("{ais} logic AIs: {mean:.2} rounds");
        assert!(mean < most, "{ais}: {mean}");
        assert_eq!((tally.wrong, tally.wins.iter().sum::<u64>()), (0, 1_000));
    }
}

#[test]
fn one_exact_ai_beats_default_ones() {
    // The aims are 98.0, 93.3, 91 and 88 %; 200 games in each seat.
    for (ais, least) in (2..=5).zip([0.97, 0.96, 0.96, 0.96]) {
        let (mut wins, mut wrong) = (0, 0);
        for seat in 0..ais {
            let mut types = vec![AiType::Default; ais];
            types[seat] = AiType::Exact;
            let tally = tally(&types, 200);
            wins += tally.wins[seat];
            wrong += tally.wrong;
        }
        let games = 200.0 * ais as f64;
        println!("an exact AI against {}: {:.4}, wrong {:.4}", ais - 1, wins as f64 / games, wrong as f64 / games);
        assert!(wins as f64 >= least * games && wrong as f64 <= 0.02 * games, "{ais}: {wins}, wrong {wrong}");
    }
}

/// The lines of a game of AIs alone.
fn record(ais: Vec<AiType>, game: u64) -> String {
    let streams = Streams { seed: 34, game };
    let setup = Setup { seats: Seats::ais_alone(ais.len()), ais, streams, stays: false };
    let master = Master::new(setup.clone());
    let mut recorder = Recorder::new(&setup, &master.deal);
    let mut lines = vec![recorder.start()];
    let watch = |event: &Event| {
        lines.extend(recorder.event(event));
        Ok(())
    };
    let over = host_threads(&master, &mut Nobody, watch, seat_ai, Duration::from_secs(60)).expect("played");
    lines.push(recorder.end(over.winner));
    lines.join("\n")
}

#[test]
fn records_are_checked_for_the_type() {
    use AiType::{Default, Exact, Logic, Memory};
    let (mut not_logic, mut not_exact, mut not_memory) = (0, 0, 0);
    for game in 0..30 {
        let mixed = record(vec![Exact, Default, Logic, Memory], game);
        replay(&mixed).expect("a right record");
        let exact = record(vec![Exact; 3], game);
        replay(&exact).expect("a right record");
        // It dares, and names cards of its own.
        not_logic += usize::from(replay(&exact.replace("\"exact\"", "\"logic\"")).is_err());
        let memory = record(vec![Memory; 3], game);
        replay(&memory.replace("\"memory\"", "\"default\"")).expect("default AIs may play like that");
        not_exact += usize::from(replay(&memory.replace("\"memory\"", "\"exact\"")).is_err());
        let logic = record(vec![Logic; 4], game);
        replay(&logic).expect("a right record");
        not_memory += usize::from(replay(&logic.replace("\"logic\"", "\"memory\"")).is_err());
    }
    println!("{not_logic}, {not_exact}, {not_memory} of 30");
    assert!(not_logic >= 25 && not_exact >= 25 && not_memory >= 15, "{not_logic}, {not_exact}, {not_memory}");
}

/// Gives an AI of rank 2 its start and its hand; AI 1 then suggests three cards, asks rank 2, and ends its turn, and
/// rank 0 may send words. Returns how many messages of its own turn the AI has sent.
fn after_a_suggestion(ai_type: AiType, words: Option<Vec<i32>>) -> Result<u64, String> {
    let streams = Streams { seed: 1, game: 1 };
    let setup = Setup { seats: Seats::ais_alone(3), ais: vec![ai_type; 3], streams, stays: false };
    let mut worlds = ThreadWorld::connect(4);
    send(&mut worlds, 2, Master::new(setup).begin(2).into_iter().map(|words| (0, words)));
    let turn = [Message::Suggest([0, 6, 12]), Message::Ask, Message::Turn];
    send(&mut worlds, 2, turn.map(|message| (1, message.encode(1))));
    send(&mut worlds, 2, words.map(|words| (0, words)));
    // It hears all of this before it hears that rank 3 does what it must not.
    worlds[3].send(2, GAME_TAG + 1, Vec::new()).expect("it is sent");
    let mut world = TracedWorld::new(&mut worlds[2], Keep::Counts);
    match serve(&mut world, seat_ai, Duration::from_secs(60)) {
        Err(TableError::Fault(fault)) if fault.rank == 3 => Ok(world.trace().all_sent().messages - 1),
        other => Err(other.expect_err("a fault").to_string()),
    }
}

#[test]
fn a_turn_waits_for_the_answers_to_others() {
    let answered = |asked, shower| Some(Message::Answered(Answered { asked, shower }).encode(0));
    // An AI that hears no answers begins its turn at once; it sends three messages and asks.
    assert_eq!(after_a_suggestion(AiType::Memory, None), Ok(4));
    assert_eq!(after_a_suggestion(AiType::Default, None), Ok(4));
    for ai_type in [AiType::Logic, AiType::Exact] {
        assert_eq!(after_a_suggestion(ai_type, None), Ok(0));
        assert_eq!(after_a_suggestion(ai_type, answered(1, Some(2))), Ok(4));
        assert_eq!(after_a_suggestion(ai_type, answered(2, Some(3))), Ok(4));
        assert_eq!(after_a_suggestion(ai_type, answered(2, None)), Ok(4));
        // Answers that cannot be, and other messages in their place, are faults of rank 0.
        let wrong = [
            answered(1, None),
            answered(1, Some(3)),
            answered(2, Some(1)),
            answered(3, None),
            Some(vec![-8, 0, 0, -1]),
            Some(vec![-8, 0, 6, -1]),
            Some(vec![-8, 0, 2, 9]),
            Some(vec![-8, 0, 2]),
            Some(vec![-8, 1, 2, -1]),
            Some(Message::Judge.encode(0)),
        ];
        for words in wrong {
            let fault = after_a_suggestion(ai_type, words.clone()).expect_err("a fault");
            assert!(fault.starts_with("rank 0 "), "{words:?}: {fault}");
        }
    }
}
