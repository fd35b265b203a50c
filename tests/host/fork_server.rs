//! The parent of players' processes: what it survives, and what it ends with it.

use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

use amazons::command::is_broken_pipe;
use amazons::host::{Launcher, ProcessPlayer};
use amazons::referee::{CallError, Seat, Termination};
use amazons_testing::{status_of, wait_for, wait_until};
use tempfile::TempDir;

use super::rig::{Source, fault, fork_server, log_of};
use crate::support::{self, alone, is_gone};

/// The living children of a process.
fn children_of(parent: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").expect("the kernel lists processes").flatten();
    let is_child = |pid: &String| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let mut fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
        let state = fields.next();
        fields.next() == Some(parent) && !matches!(state, Some("Z" | "X"))
    };
    let names = processes.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.starts_with(|c: char| c.is_ascii_digit())).filter(is_child).collect()
}

fn kill(pid: &str) {
    let pid = pid.parse().expect("a number");
    // SAFETY: the call takes numbers only; the process belongs to the test.
    assert_eq!(unsafe { libc::kill(pid, libc::SIGKILL) }, 0);
}

#[test]
fn one_serves_many_games_and_nothing_piles_up() {
    const TEST: &str = "host::fork_server::one_serves_many_games_and_nothing_piles_up";
    if !alone::is_alone() {
        alone::run(&mut alone::command(TEST));
        return;
    }
    let rig = Source::new().build();
    let config = rig.config();
    let parent = fork_server();
    let launcher = Launcher::Processes(parent.clone());
    let me = std::process::id().to_string();
    let [serving] = <[String; 1]>::try_from(children_of(&me)).expect("there is one fork server");
    let descriptors = |pid: &str| fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count);
    let game = || {
        let mut seats = launcher.seats([&config, &config]).expect("two processes can be started");
        for seat in &mut seats {
            seat.load().expect("the player loads");
            seat.initialize().expect("the player initialises");
            seat.play(None).expect("the player plays");
        }
        assert_eq!(children_of(&serving).len(), 2);
    };
    game();
    let before = [descriptors(&me), descriptors(&serving)];
    for _ in 0..100 {
        game();
    }
    assert_eq!([descriptors(&me), descriptors(&serving)], before);
    assert_eq!(children_of(&serving), [""; 0]);
    drop(launcher);
    drop(parent);
    assert!(is_gone(&serving), "dropping waits for the end");
}

#[test]
fn a_fork_server_that_dies_is_no_fault_of_a_player() {
    const TEST: &str = "host::fork_server::a_fork_server_that_dies_is_no_fault_of_a_player";
    if !alone::is_alone() {
        alone::run(&mut alone::command(TEST));
        return;
    }
    let rig = Source::new().build();
    let parent = fork_server();
    let mut seat = ProcessPlayer::start(&parent, &rig.config()).expect("a process can be started");
    seat.load().expect("the player loads");
    seat.initialize().expect("the player initialises");
    let [serving] = <[String; 1]>::try_from(children_of(&std::process::id().to_string())).expect("one fork server");
    kill(&serving);
    wait_until("it is dead", || is_gone(&serving));
    let failed = seat.play(None);
    let Err(CallError::Void(reason)) = failed else { panic!("{failed:?}") };
    assert!(!is_broken_pipe(&anyhow::Error::from(reason)), "that would end the server without a word");
    let refused = ProcessPlayer::start(&parent, &rig.config()).expect_err("there is no parent");
    assert!(!is_broken_pipe(&refused.into()));
}

/// Starts a game in which each move takes so long.
fn slow_game(millis: u32, options: &[&str]) -> (TempDir, Child) {
    let (folder, player) = support::slow_player(millis);
    let mut command = Command::new(support::server());
    command.args(["-m", "10", "--seed", "1", "--quiet"]).args(options).args([&player, &player]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    (folder, command.spawn().expect("the server can be run"))
}

/// Waits until a game has both players; returns their parent and them.
fn processes_of(server: &Child) -> (String, Vec<String>) {
    let server = server.id().to_string();
    let look = || {
        let parent = children_of(&server).pop()?;
        let players = children_of(&parent);
        (players.len() == 2).then_some((parent, players))
    };
    wait_for("the game begins", look)
}

#[test]
fn a_game_whose_fork_server_is_killed_is_played_again() {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let record = folder.path().join("game.jsonl");
    let (_player, mut server) = slow_game(20, &["--record", record.to_str().expect("text")]);
    let (parent, _) = processes_of(&server);
    let moves = || fs::read_to_string(&record).unwrap_or_default().matches("\"event\":\"move\"").count();
    wait_until("the game goes on", || moves() > 3);
    kill(&parent);
    let mut said = String::new();
    server.stderr.take().expect("it is piped").read_to_string(&mut said).expect("text");
    let status = status_of(&mut server);
    assert_eq!(status.code(), Some(0), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("server: the game is void: ") && said.ends_with("; playing it again\n"), "{said}");
    let text = fs::read_to_string(&record).expect("the record is there");
    for (event, count) in [("start", 1), ("end", 1), ("fault", 0)] {
        assert_eq!(text.matches(&format!("\"event\":\"{event}\"")).count(), count, "{text}");
    }
    let replay = Command::new(support::server()).args(["replay", "--quiet"]).arg(&record).output();
    let replay = replay.expect("the server can be run");
    assert!(replay.status.success(), "{}", String::from_utf8_lossy(&replay.stderr));
}

#[test]
fn a_game_that_is_void_twice_is_given_up() {
    let (_player, mut server) = slow_game(500, &[]);
    let (first, _) = processes_of(&server);
    kill(&first);
    let look = || {
        let parents = children_of(&server.id().to_string());
        parents.into_iter().find(|parent| *parent != first && children_of(parent).len() == 2)
    };
    kill(&wait_for("the game begins again", look));
    let mut said = [String::new(), String::new()];
    server.stdout.take().expect("it is piped").read_to_string(&mut said[0]).expect("text");
    server.stderr.take().expect("it is piped").read_to_string(&mut said[1]).expect("text");
    assert_eq!(status_of(&mut server).code(), Some(70), "{said:?}");
}

#[test]
fn a_server_that_is_killed_takes_everything_along() {
    let (_player, mut server) = slow_game(500, &[]);
    let (parent, players) = processes_of(&server);
    server.kill().expect("a child can be killed");
    assert_eq!(status_of(&mut server).signal(), Some(libc::SIGKILL));
    for pid in players.iter().chain([&parent]) {
        wait_until("it ends with the server", || is_gone(pid));
    }
}

#[test]
fn strays_of_an_unconfined_player_end_with_the_game() {
    let body = "int ready[2]; if (pipe(ready)) abort();
                if (fork() == 0) {
                    setsid();
                    pid_t stray = fork();
                    if (stray == 0) {
                        pid_t own = getpid(); if (write(ready[1], &own, sizeof own) < 0) abort();
                        for (;;) pause();
                    }
                    _exit(0);
                }
                pid_t stray; if (read(ready[0], &stray, sizeof stray) != sizeof stray) abort();
                printf(\"%d\\n\", stray); return previous;";
    for ending in ["return;", "_exit(0);", "abort();"] {
        let rig = Source::new().play(body).finalize(ending).build().unconfined();
        let parent = fork_server();
        let mut seat = ProcessPlayer::start(&parent, &rig.config()).expect("a process can be started");
        seat.load().expect("the player loads");
        seat.initialize().expect("the player initialises");
        seat.play(None).expect("the player plays");
        let stray = log_of(&seat).trim().to_owned();
        assert!(!is_gone(&stray), "a process of its own session outlives its parent");
        let _ = seat.finalize();
        drop(seat);
        wait_until(ending, || is_gone(&stray));
        // The fork server goes on serving.
        let mut next = ProcessPlayer::start(&parent, &rig.config()).expect("a process can be started");
        next.load().expect("the player loads");
    }
}

#[test]
fn what_ends_between_two_calls_is_told_to_its_own_seat() {
    let parent = fork_server();
    let [dying, lasting] = ["raise(SIGKILL); return previous;", "return previous;"];
    let [dying, lasting] = [dying, lasting].map(|play| Source::new().play(play).build());
    let start = |rig: &super::rig::Rig| {
        let mut seat = ProcessPlayer::start(&parent, &rig.config()).expect("a process can be started");
        seat.load().expect("the player loads");
        seat.initialize().expect("the player initialises");
        seat
    };
    let (mut one, mut two) = (start(&dying), start(&lasting));
    let killed = fault(one.play(None));
    assert_eq!((killed.termination, killed.signal), (Termination::Crash, Some(libc::SIGKILL)));
    two.play(None).expect("the other lives");
}
