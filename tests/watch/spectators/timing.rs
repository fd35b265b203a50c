use std::net::SocketAddr;
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use amazons::watch::{Access, Folder, ServerLimits, Site};
use amazons_testing::{let_pass, wait_for};
use tempfile::TempDir;

use crate::support::{player, server};
use crate::watch::{Events, get, serve};

/// The figures for docs/performance.md: the cost of 20 games with 200 spectators and without,
/// `AMAZONS_SPECTATORS=rounds`.
///
/// Each game is a process that writes a record; they play two at a time, as on a machine with two cores.
#[test]
fn games_take_as_long_with_spectators_as_without() {
    let Some(rounds) = env::var("AMAZONS_SPECTATORS").ok().and_then(|rounds| rounds.parse::<u32>().ok()) else {
        println!("skipped: AMAZONS_SPECTATORS says how often 20 games are played with 200 spectators and without");
        return;
    };
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        for (with, times) in [false, true].into_iter().zip(&mut times) {
            times.push(twenty_games(if with { 200 } else { 0 }));
        }
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort();
        times[times.len() / 2].as_secs_f64()
    };
    let [without, with] = times.each_mut().map(median);
    println!(
        "20 games: {without:.3} s without spectators, {with:.3} s with 200: {:+.2} %",
        (with / without - 1.0) * 100.0
    );
}

fn twenty_games(spectators: usize) -> Duration {
    let folder = TempDir::new().expect("a folder");
    let site = Site::of_folders(Access::Local, vec![Folder::new(folder.path()).expect("a folder")], Vec::new());
    let viewer = serve(site, Access::Local, ServerLimits::default());
    let address = viewer.address();
    let watching: Vec<_> = (0..spectators).map(|number| thread::spawn(move || watch(address, number % 20))).collect();
    let begun = Instant::now();
    let games = "seq 0 19 | xargs -P 2 -I {} \"$0\" --quiet -m 10 --seed 1 --record {}.jsonl \"$1\" \"$1\" > /dev/null";
    let mut played = Command::new("sh");
    played.current_dir(folder.path()).args(["-c", games]).args([server(), player("territory")]);
    assert!(played.status().expect("a shell").success());
    let took = begun.elapsed();
    for (number, spectator) in watching.into_iter().enumerate() {
        let record = fs::read_to_string(folder.path().join(format!("{}.jsonl", number % 20))).expect("a record");
        assert_eq!(spectator.join().expect("a spectator"), record.lines().count(), "everybody saw everything");
    }
    viewer.stop().expect("it had not failed");
    took
}

/// Looks for a game every half second like the first page, watches it to its end, and returns the number of lines.
fn watch(address: SocketAddr, number: usize) -> usize {
    let name = format!("{number}.jsonl");
    let id = wait_for(&name, || {
        let list = get(address, "/api/games?size=200").json();
        let games = list["list"]["games"].as_array().expect("games");
        let game = games.iter().find(|game| game["name"] == name && game["error"].is_null());
        if game.is_none() {
            let_pass(Duration::from_millis(500));
        }
        Some(game?["id"].as_str().expect("a name").to_owned())
    });
    let mut events = Events::open(address, &format!("/api/games/{id}/events"), "");
    std::iter::from_fn(|| events.line()).count()
}
