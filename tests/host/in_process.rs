//! Players in the server's process. Each test runs alone, as the server does: players share more than they should.

use std::io::Write;
use std::process::Command;

use amazons::host::{InProcessPlayer, own_stdout};
use amazons::referee::{CallError, OutOfOrder, Seat, Termination};
use amazons_rules::Move;

use super::rig::{Rig, Source, fault};
use crate::support::{self, alone};

#[test]
fn plays_a_game() {
    if !alone::is_alone() {
        alone::run(&mut alone::command("host::in_process::plays_a_game"));
        return;
    }
    let body = "return (struct move_t){previous.queen_src + 1, previous.queen_dst + 1, previous.arrow_dst + 1};";
    let mut seat = Source::new().play(body).build().ready_in_process();
    assert_eq!(seat.name().expect("the player has a name").value.as_deref(), Some(&b"rig"[..]));
    assert_eq!(seat.play(None).expect("the player plays").value, Move { from: 0, to: 0, arrow: 0 });
    let answer = seat.play(Some(Move { from: 1, to: 2, arrow: 3 })).expect("the player plays");
    assert_eq!(answer.value, Move { from: 2, to: 3, arrow: 4 });
    seat.finalize().expect("the player finalizes");
    assert!(matches!(seat.play(None), Err(CallError::Void(void)) if void.cause().is::<OutOfOrder>()));
}

#[test]
fn the_same_library_has_a_life_for_each_seat_and_game() {
    if !alone::is_alone() {
        alone::run(&mut alone::command("host::in_process::the_same_library_has_a_life_for_each_seat_and_game"));
        return;
    }
    let body = "static unsigned int n; n++; return (struct move_t){n, n, n};";
    let rig = Source::new().play(body).build();
    for _game in 0..5 {
        let (mut one, mut two) = (rig.ready_in_process(), rig.ready_in_process());
        for n in 1..5 {
            for seat in [&mut one, &mut two] {
                assert_eq!(seat.play(None).expect("the player plays").value.from, n);
            }
        }
    }
}

#[test]
fn what_it_prints_goes_to_stderr() {
    if !alone::is_alone() {
        let output = alone::run(&mut alone::command("host::in_process::what_it_prints_goes_to_stderr"));
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        for words in ["from load", "from initialize", "from name", "from play", "from finalize", "from unload"] {
            assert!(stderr.contains(words) && !stdout.contains(words), "{words}: {stderr}");
        }
        assert!(stdout.contains("from the server"));
        return;
    }
    let top = "static void __attribute__((constructor)) load(void) { printf(\"from load \"); }
               static void __attribute__((destructor)) unload(void) { printf(\"from unload \"); }";
    let mut seat = Source::new()
        .top(top)
        .initialize("printf(\"from initialize \");")
        .name("printf(\"from name \"); return NULL;")
        .play("printf(\"from play \"); return previous;")
        .finalize("printf(\"from finalize \");")
        .build()
        .ready_in_process();
    assert_eq!(seat.name().expect("NULL is an answer").value, None);
    seat.play(None).expect("the player plays");
    seat.finalize().expect("the player finalizes");
    assert!(seat.log().is_empty());
    drop(seat);
    writeln!(own_stdout().expect("there is a stdout"), "from the server").expect("it can be written");
}

#[test]
fn a_seed_means_the_same_wherever_the_player_runs() {
    // An answer that is not a move is reported as it is; only the server itself has a single thread.
    let rig = Source::new()
        .top("static unsigned int seed, drawn;")
        .initialize("seed = (unsigned int)strtoull(getenv(\"AMAZONS_SEED\"), NULL, 10); drawn = (unsigned int)rand();")
        .play("return (struct move_t){seed, drawn, (unsigned int)rand()};")
        .build();
    let answer = |isolation, seed| {
        let output = Command::new(support::server())
            .args(["-m", "5", "--json", "--isolation", isolation, "--seed", seed])
            .args([rig.library(), rig.library()])
            .output()
            .expect("the server can be run");
        let record = String::from_utf8_lossy(&output.stdout).into_owned();
        let answer = record.split_once("\"move\":[").and_then(|(_, rest)| rest.split_once(']'));
        answer
            .unwrap_or_else(|| panic!("no answer in {record} {}", String::from_utf8_lossy(&output.stderr)))
            .0
            .to_owned()
    };
    assert_eq!(answer("none", "123"), answer("process", "123"));
    assert_ne!(answer("none", "123"), answer("none", "124"));
}

#[test]
fn a_file_that_is_no_player_is_a_fault() {
    if !alone::is_alone() {
        alone::run(&mut alone::command("host::in_process::a_file_that_is_no_player_is_a_fault"));
        return;
    }
    let rig = Rig::new("/no/such/player.so".into(), None);
    let mut seat = InProcessPlayer::start(&rig.config()).expect("a seat needs next to nothing");
    let fault = fault(seat.load());
    assert_eq!(fault.termination, Termination::LoadError);
    assert!(fault.detail.starts_with("/no/such/player.so: cannot open"), "{}", fault.detail);
    assert!(seat.initialize().is_err());
}
