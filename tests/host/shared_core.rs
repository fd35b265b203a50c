//! Both players share a core, from before they are loaded to their end; the server shares it while calls are quick.

use std::sync::Barrier;

use amazons::host::Clock;
use amazons::referee::Seat;
use amazons_rules::Move;
use amazons_testing::skip;
use rustix::thread::sched_getaffinity;

use super::rig::{Rig, Source, seats};
use crate::support::alone;

/// Much longer than a quick call.
const SLOW_MS: u32 = 50;

/// A player that prints in each call which processors it may use, and sleeps for as long as its opponent's move begins
/// with; its constructor takes a while.
fn telling() -> Source {
    let top = "#include <sched.h>
               static void tell(void) {
                   cpu_set_t set;
                   sched_getaffinity(0, sizeof set, &set);
                   for (int core = 0; core < CPU_SETSIZE; core++) if (CPU_ISSET(core, &set)) printf(\"%d \", core);
                   printf(\"of %ld\\n\", sysconf(_SC_NPROCESSORS_ONLN));
               }
               static void __attribute__((constructor)) load(void) { tell(); usleep(30000); tell(); }";
    Source::new().top(top).initialize("tell();").play(
        "tell(); if (previous.queen_src != UINT_MAX) usleep(1000 * previous.queen_src); tell();
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
        skip("there is only one processor");
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

/// What each player printed: the same line in every call.
fn seen(seats: &[Box<dyn Seat>; 2]) -> [String; 2] {
    seats.each_ref().map(|seat| {
        let log = String::from_utf8_lossy(&seat.log()).into_owned();
        let first = log.lines().next().expect("it printed").to_owned();
        assert!(log.lines().all(|line| line == first), "{log}");
        first
    })
}

fn count(line: &str) -> usize {
    line.split(" of ").next().map_or(0, |cores| cores.split_ascii_whitespace().count())
}

#[test]
fn quick_players_share_the_servers_core_and_slow_ones_keep_theirs() {
    if !has_two_processors() {
        return;
    }
    let (rig, before) = (telling().build(), processors());
    let mut seats = playing(&rig);
    assert_eq!(processors(), 1, "loading took long, which says nothing about moves");
    play(&mut seats, None);
    play(&mut seats, Some(SLOW_MS));
    assert_eq!(processors(), before, "a slow call frees the server's thread");
    play(&mut seats, None);
    let [one, two] = seen(&seats);
    assert_eq!((count(&one), one), (1, two));
    drop(seats);
    assert_eq!(processors(), before, "the game is over");
}

#[test]
fn games_at_the_same_time_take_different_cores() {
    if !has_two_processors() {
        return;
    }
    // Players of other tests take cores, too.
    if !alone::is_alone() {
        alone::run(&mut alone::command("host::shared_core::games_at_the_same_time_take_different_cores"));
        return;
    }
    let rig = telling().build();
    let game = || {
        let mut seats = playing(&rig);
        play(&mut seats, None);
        seats
    };
    // A thread runs where the one that starts it may run, so neither is started by one that plays.
    let both_play = Barrier::new(2);
    let core = || {
        let seats = game();
        both_play.wait();
        seen(&seats)[0].clone()
    };
    let [here, there] = std::thread::scope(|scope| {
        [scope.spawn(core), scope.spawn(core)].map(|thread| thread.join().expect("no panic"))
    });
    assert_eq!((count(&here), count(&there)), (1, 1));
    assert_ne!(here, there);
}

#[test]
fn players_with_threads_or_by_the_wall_clock_see_all_cores() {
    let (threaded, mut by_wall_clock) = (telling().build().threaded(), telling().build());
    by_wall_clock.limits.clock = Clock::Wall;
    let before = processors();
    for rig in [threaded, by_wall_clock] {
        let mut seats = playing(&rig);
        play(&mut seats, None);
        play(&mut seats, Some(SLOW_MS));
        assert_eq!((processors(), seen(&seats).map(|line| count(&line))), (before, [before as usize; 2]));
    }
}
