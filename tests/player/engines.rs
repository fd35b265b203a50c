//! The players that search: on every board, within their time.

use serde_json::Value;

use crate::cli::{player, server};

const ENGINES: [&str; 3] = ["alphabeta", "champion", "mcts"];

fn events(arguments: &[&str]) -> Vec<Value> {
    let ran = server([&["--json"], arguments].concat());
    ran.out.lines().map(|line| serde_json::from_str(line).expect("events are JSON")).collect()
}

/// Whether the players are coverage builds: these are many times slower, and so is the step of their clocks.
fn are_instrumented() -> bool {
    player("champion").contains("/coverage/")
}

/// A time limit.
fn patient(milliseconds: u32) -> String {
    format!("{}ms", if are_instrumented() { 10 * milliseconds } else { milliseconds })
}

/// Plays a game until one of three has no fault; returns the last one's faults. On a busy machine a processor can be
/// taken away for longer than a player's reserve, and a virtual machine charges that to the running process.
fn lasting_faults(arguments: &[&str]) -> Vec<Value> {
    let mut faults = Vec::new();
    for _ in 0..3 {
        faults = events(arguments);
        faults.retain(|event| event["event"] == "fault");
        if faults.is_empty() {
            break;
        }
    }
    faults
}

/// Plays on boards of these sizes in every shape, with that many milliseconds per move and that many moves.
fn assert_in_time(boards: &[(&str, u32, &str)]) {
    for engine in ENGINES {
        for shape in ["c", "d", "t", "8"] {
            for &(m, time, max_moves) in boards {
                for directions in ["subject", "ring"] {
                    let is_long = ["30", "66"].contains(&m);
                    if directions == "ring" && m != "9" || m == "66" && shape != "c" || are_instrumented() && is_long {
                        continue;
                    }
                    let time = patient(time);
                    let limits = ["-m", m, "-t", shape, "--move-time", &time, "--max-moves", max_moves];
                    let seats = ["--directions", directions, &player(engine), &player("random")].map(str::to_owned);
                    let arguments: Vec<&str> = limits.into_iter().chain(seats.iter().map(String::as_str)).collect();
                    let faults = lasting_faults(&arguments);
                    assert!(faults.is_empty(), "{engine} on {shape} {m}: {faults:?}");
                }
            }
        }
    }
}

#[test]
fn engines_play_every_shape_in_time() {
    assert_in_time(&[("5", 30, "8"), ("9", 30, "4")]);
}

/// Games that take the time of their moves.
mod long {
    use super::{ENGINES, assert_in_time, events, lasting_faults, patient};
    use crate::cli::player;

    #[test]
    fn engines_play_every_board_in_time() {
        assert_in_time(&[("5", 30, "100"), ("9", 30, "12"), ("20", 300, "2"), ("30", 1000, "2"), ("66", 1000, "2")]);
    }

    /// One game of four may be lost: to a processor taken away for too long, or by a coverage build.
    #[test]
    fn engines_beat_those_that_do_not_search() {
        for engine in ENGINES {
            let (first, second) = (player(engine), player("territory"));
            let mut lost = Vec::new();
            for seed in ["1", "2"] {
                for (number, seats) in [(1, [&first, &second]), (2, [&second, &first])] {
                    let events = events(&["-m", "8", "--move-time", "60ms", "--seed", seed, seats[0], seats[1]]);
                    let end = events.last().expect("a game ends");
                    if end["winner"] != number {
                        lost.push(end.clone());
                    }
                }
            }
            assert!(lost.len() <= 1, "{engine}: {lost:?}");
        }
    }

    #[test]
    fn the_champion_knows_its_time_with_threads_and_by_any_clock() {
        for options in [["--threads", "2"], ["--clock", "wall"], ["--game-time", "2"]] {
            let (first, second) = (player("champion"), player("random"));
            let time = patient(100);
            let limits = ["-m", "8", "--move-time", &time, "--max-moves", "20"];
            let faults = lasting_faults(&[&limits[..], &options, &[&first, &second]].concat());
            assert!(faults.is_empty(), "{options:?}: {faults:?}");
        }
    }
}
