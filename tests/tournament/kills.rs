//! `kill -9` of the server at random moments.

use std::env;
use std::process::Stdio;
use std::time::Duration;

use amazons::tournament::JOURNAL;
use amazons_testing::{let_pass, status_of, wait_until};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::event::Hall;

/// How often one event is killed; AMAZONS_KILLS=50 for the long test.
fn kills() -> u32 {
    env::var("AMAZONS_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(3)
}

#[test]
fn standings_are_the_same_after_any_number_of_kills() {
    let kills = kills();
    let pairs = (10 * kills).to_string();
    let swiss = ["--format", "swiss", "--rounds", "3", "--pairs", &pairs, "--boards", "c6,d8"];
    let players = ["random", "c_mobility", "territory"];
    let (quiet, killed) = (Hall::new(&players, &swiss), Hall::new(&players, &swiss));
    quiet.finish();
    let whole = length(&quiet);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    // Moments all over the event, as the journal grows; a line more or less decides which line is torn, if any.
    let mut moments: Vec<u64> = (0..kills).map(|_| rng.random_range(0..whole * 2 / 3)).collect();
    moments.sort_unstable();
    let mut survived = Vec::new();
    for moment in moments {
        let mut command = killed.command();
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the server can be run");
        // One in five dies while it still starts.
        if rng.random_bool(0.2) {
            let_pass(Duration::from_millis(rng.random_range(0..15)));
        } else {
            wait_until("the journal grows", || {
                length(&killed) >= moment || child.try_wait().expect("a child").is_some()
            });
            let_pass(Duration::from_micros(rng.random_range(0..2000)));
        }
        child.kill().expect("a kill");
        status_of(&mut child);
        survived.push(killed.games());
    }
    println!("games after each of {kills} kills: {survived:?}, of {}", quiet.games());
    assert!(survived.windows(2).all(|two| two[0] <= two[1]), "no finished game is lost: {survived:?}");
    assert!(survived.first() < Some(&quiet.games()), "the first kill hits: {survived:?}");
    killed.finish();
    assert_eq!(killed.stable(), quiet.stable());
}

fn length(hall: &Hall) -> u64 {
    hall.file(JOURNAL).metadata().map_or(0, |metadata| metadata.len())
}
