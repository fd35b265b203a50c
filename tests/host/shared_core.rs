//! Both players and the server share a core as long as calls are quick.

use amazons::host::Clock;
use amazons::referee::Seat;
use amazons_rules::Move;
use rustix::thread::sched_getaffinity;

use super::rig::{Rig, Source, seats};

/// On a full machine few calls are quick.
const GAMES: usize = 100;

/// Much longer than a quick call.
const SLOW_MS: u32 = 50;

/// A player that prints how many processors it may use, and sleeps for as long as its opponent's move begins with.
fn telling() -> Source {
    Source::new().top("#include <sched.h>").play(
        "cpu_set_t set; sched_getaffinity(0, sizeof set, &set); printf(\"%d\\n\", CPU_COUNT(&set));
         if (previous.queen_src != UINT_MAX) usleep(1000 * previous.queen_src);
         return (struct move_t){1, 2, 3};",
    )
}

/// How many processors this thread may use.
fn processors() -> u32 {
    sched_getaffinity(None).expect("the kernel tells").count()
}

fn has_two_processors() -> bool {
    let has_two = processors() > 1;
    if !has_two {
        println!("skipped: there is only one processor");
    }
    has_two
}

/// Seats for both players of a game, after their first calls.
fn playing(rig: &Rig) -> [Box<dyn Seat>; 2] {
    let config = rig.config();
    let mut seats = seats([&config, &config]);
    for seat in &mut seats {
        seat.load().expect("the player loads");
        seat.initialize().expect("the player initialises");
    }
    seats
}

fn play(seats: &mut [Box<dyn Seat>; 2], sleep: Option<u32>) {
    for seat in seats {
        let previous = sleep.map(|from| Move { from, to: 0, arrow: 0 });
        seat.play(previous).expect("the player plays");
    }
}

fn logs(seats: &[Box<dyn Seat>; 2]) -> [String; 2] {
    seats.each_ref().map(|seat| String::from_utf8_lossy(&seat.log()).into_owned())
}

#[test]
fn quick_players_share_the_servers_core() {
    if !has_two_processors() {
        return;
    }
    let (rig, before) = (telling().build(), processors());
    let is_shared = (0..GAMES).any(|_| {
        let mut seats = playing(&rig);
        play(&mut seats, None);
        let is_shared = processors() == 1 && logs(&seats) == ["1\n", "1\n"];
        drop(seats);
        assert_eq!(processors(), before, "the game is over");
        is_shared
    });
    assert!(is_shared, "in none of {GAMES} games");
}

#[test]
fn a_slow_call_frees_both_players_and_the_server() {
    if !has_two_processors() {
        return;
    }
    let (rig, before) = (telling().build(), processors());
    let mut seats = playing(&rig);
    play(&mut seats, Some(SLOW_MS));
    assert_eq!(processors(), before);
    play(&mut seats, None);
    assert!(logs(&seats).iter().all(|log| log.ends_with(&format!("\n{before}\n"))), "{:?}", logs(&seats));
}

#[test]
fn players_with_threads_or_by_the_wall_clock_keep_their_cores() {
    let (threaded, mut by_wall_clock) = (telling().build().threaded(), telling().build());
    by_wall_clock.limits.clock = Clock::Wall;
    let before = processors();
    for rig in [threaded, by_wall_clock] {
        let mut seats = playing(&rig);
        play(&mut seats, None);
        assert_eq!((processors(), logs(&seats)), (before, [before, before].map(|number| format!("{number}\n"))));
    }
}
