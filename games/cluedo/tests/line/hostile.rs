//! Thousands of games with hostile clients at the table.

use cluedo::bots::Kind;
use cluedo::deal::stream;
use cluedo::line::inbox::MAX_UNASKED;
use cluedo::line::options::{OnError, Options};
use cluedo::line::record::Entry;
use cluedo::line::table::Ending;
use rand::RngExt;

use super::driver::{Bots, Net, honest};

/// Plays games in which one seat now and then does its worst; returns how many games had a winner.
fn games(count: u64, on_error: OnError, seed: u64) -> usize {
    let mut options = Options::new(3, count);
    options.seed = seed;
    options.on_error = on_error;
    let mut net = Net::seated(options);
    let mut bots = Bots::new(&[Kind::Bot2, Kind::Bot1, Kind::Bot2], seed);
    let mut rng = stream(seed, 0, 0, "hostile");
    while net.ending.is_none() {
        bots.play(&mut net, |net, seat, answer| {
            if seat != 1 || rng.random_range(0..12) > 0 {
                return honest(answer);
            }
            match rng.random_range(0..8) {
                0 => Some(b"M 0\nM 1\nM 2\nM 3\n".to_vec()),
                1 => Some(vec![b'x'; 100]),
                2 => Some((0..50).map(|_| rng.random()).collect()),
                3 => {
                    net.wait(10_000_001);
                    None
                }
                4 => Some(answer.as_bytes().to_vec()),
                5 => Some(vec![b'\n'; 3 * MAX_UNASKED]),
                6 => Some(b"M 77\n".to_vec()),
                _ => Some(b"H 0 0 0\nA 0 0 0\n".to_vec()),
            }
        });
        if net.ending.is_none() {
            // Someone is waited for who has said nothing, or no whole line.
            net.wait(10_000_001);
        }
    }
    assert_eq!(net.ending, Some(Ending::Complete));
    let ends = net.entries.iter().filter(|entry| matches!(entry, Entry::End { .. })).count();
    assert_eq!(ends as u64, count);
    let gains: Vec<i64> = net.table.guests().iter().map(|guest| guest.gain).collect();
    assert!(
        gains[0] > 0 && gains[2] > 0 && net.table.guests()[0].faults + net.table.guests()[2].faults == 0,
        "{gains:?}"
    );
    assert!(net.table.guests()[1].faults > 0, "it was not hostile");
    net.entries.iter().filter(|entry| matches!(entry, Entry::End { winner: Some(_), .. })).count()
}

#[test]
fn ten_thousand_games_with_a_hostile_seat() {
    let won = games(10_000, OnError::Abort, 3);
    assert!((2_000..10_000).contains(&won), "{won} games had a winner");
    // Out after the first fault, the others play on.
    assert!(games(500, OnError::Forfeit, 4) >= 499);
}
