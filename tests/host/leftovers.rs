//! Nothing is left when a game is over.

use std::env;
use std::fs;
use std::time::Duration;

use amazons::host::Clock;
use amazons::referee::Seat;
use amazons_testing::{status_of, wait_for, wait_until};

use super::rig::{Rig, Source, log_of, seats};

use crate::support::{alone, is_gone};

fn open_descriptors() -> usize {
    fs::read_dir("/proc/self/fd").expect("the kernel lists descriptors").count()
}

fn has_children() -> bool {
    // With no child at all, there is nothing to wait for.
    // SAFETY: NULL means that the status is not wanted.
    let found = unsafe { libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG) };
    found != -1 || std::io::Error::last_os_error().raw_os_error() != Some(libc::ECHILD)
}

fn play_a_game(rig: &Rig) {
    let config = rig.config();
    let mut seats = seats([&config, &config]);
    for seat in &mut seats {
        seat.load().expect("the player loads");
        seat.initialize().expect("the player initialises");
    }
    for _ in 0..3 {
        for seat in &mut seats {
            let _ = seat.play(None);
        }
    }
    for seat in &mut seats {
        let _ = seat.finalize();
    }
}

#[test]
fn many_games_leave_no_process_and_no_descriptor() {
    const TEST: &str = "host::leftovers::many_games_leave_no_process_and_no_descriptor";
    if !alone::is_alone() {
        alone::run(&mut alone::command(TEST));
        return;
    }
    let honest = Source::new().build();
    let crashing = Source::new().play("abort();").build();
    let mut hanging = Source::new().play("for (;;) pause();").build();
    // By processor time, a player that sleeps would have 200 ms more each time.
    (hanging.limits.play, hanging.limits.clock) = (Duration::from_millis(1), Clock::Wall);
    let before = open_descriptors();
    for _ in 0..50 {
        for rig in [&honest, &crashing, &hanging] {
            play_a_game(rig);
        }
    }
    assert_eq!(open_descriptors(), before);
    assert!(!has_children());
}

#[test]
fn a_seat_that_is_dropped_in_any_state_takes_its_process_along() {
    let rig = Source::new()
        .top("static void __attribute__((constructor)) say(void) { printf(\"%d\\n\", getpid()); fflush(stdout); }")
        .build();
    drop(rig.seat());
    let mut seat = rig.seat();
    seat.load().expect("the player loads");
    let pid = log_of(&seat).trim().to_owned();
    assert!(!pid.is_empty());
    drop(seat);
    assert!(fs::metadata(format!("/proc/{pid}")).is_err(), "dropping waits for the end");
}

#[test]
fn children_of_a_player_end_with_it() {
    let body = "pid_t child = fork(); if (child == 0) for (;;) pause(); printf(\"%d\\n\", child); return previous;";
    for ending in ["return;", "exit(0);", "for (;;) pause();"] {
        let mut rig = Source::new().play(body).finalize(ending).build().unconfined();
        rig.limits.finalize = Duration::from_millis(200);
        let mut seat = rig.ready();
        seat.play(None).expect("the player plays");
        let child = log_of(&seat).trim().to_owned();
        assert!(fs::metadata(format!("/proc/{child}")).is_ok(), "the child lives as long as the game");
        let _ = seat.finalize();
        drop(seat);
        wait_until(ending, || is_gone(&child));
    }
}

#[test]
fn players_end_with_a_server_that_is_killed() {
    const TEST: &str = "host::leftovers::players_end_with_a_server_that_is_killed";
    const FILE: &str = "PLAYING";
    if alone::is_alone() {
        let body = "FILE *f = fopen(PLAYING, \"w\"); fprintf(f, \"%d\\n\", getpid()); fclose(f); for (;;);";
        let file = env::var(FILE).expect("the test sets it");
        let _ =
            Source::new().play(body).build_with(&[&format!("-DPLAYING=\"{file}\"")]).unconfined().ready().play(None);
        return;
    }
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let file = folder.path().join("pid");
    let mut server = alone::command(TEST).env(FILE, &file).spawn().expect("the tests can be run again");
    // Only a busy player shows something: an idle one notices that its pipe is closed.
    let read = || fs::read_to_string(&file).ok().filter(|pid| pid.ends_with('\n'));
    let pid = wait_for("the player plays", read);
    server.kill().expect("a child can be killed");
    status_of(&mut server);
    wait_until("the player ends", || is_gone(pid.trim()));
}
