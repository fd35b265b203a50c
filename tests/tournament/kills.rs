//! `kill -9` of the server at random moments.

use std::process::Stdio;
use std::time::Duration;
use std::{env, thread};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::event::Hall;

/// How often one event is killed; AMAZONS_KILLS=50 for the long test.
fn kills() -> u32 {
    env::var("AMAZONS_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(5)
}

#[test]
fn standings_are_the_same_after_any_number_of_kills() {
    let kills = kills();
    let pairs = (20 * kills).to_string();
    let swiss = ["--format", "swiss", "--rounds", "3", "--pairs", &pairs, "--boards", "c6,d8"];
    let players = ["random", "c_mobility", "territory"];
    let (quiet, killed) = (Hall::new(&players, &swiss), Hall::new(&players, &swiss));
    let begun = std::time::Instant::now();
    quiet.finish();
    // Each life is some part of the undisturbed one, so that the kills lie all over the event.
    let most = begun.elapsed().as_millis() as u64 * 3 / 2 / u64::from(kills);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let mut survived = Vec::new();
    for _ in 0..kills {
        let mut command = killed.command();
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the server can be run");
        thread::sleep(Duration::from_millis(rng.random_range(0..=most)));
        child.kill().expect("a kill");
        child.wait().expect("it is dead");
        survived.push(killed.games());
    }
    println!("games after each of {kills} kills: {survived:?}");
    assert!(survived.windows(2).all(|two| two[0] <= two[1]), "no finished game is lost: {survived:?}");
    killed.finish();
    assert_eq!(killed.stable(), quiet.stable());
}
