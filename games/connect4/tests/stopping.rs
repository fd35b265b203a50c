//! Ctrl-C and termination requests, while the program waits and while it computes.

use std::fs;
use std::io::{Read as _, Write as _};
use std::process::{Child, Stdio};

use amazons_launchers::ticks;
use amazons_testing::{output_of, wait_until};
use connect4::{Level, LevelPlayer, Size};
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};

use crate::support::{Folder, Ran, connect4, position, run};

/// The processor time that shows that a search is under way.
const SEARCHING: u64 = 10;

/// Seconds of processor time: far more than any stop takes, far less than any of these searches.
const SOON: u64 = 15;

/// When to send the signal.
#[derive(Clone, Copy)]
enum Once {
    /// It has computed for a while.
    Computing,
    /// It has read this and said that, and waits for more.
    Waiting { typed: &'static str, said: &'static str },
}

use Once::{Computing, Waiting};

/// Starts it, sends the signal at the right moment, and returns how it ended.
fn stop(args: &str, once: Once, signal: Signal) -> Ran {
    let mut command = connect4();
    command.args(args.split_whitespace()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it can be run");
    // The input never ends.
    let mut stdin = child.stdin.take().expect("a pipe");
    let id = Pid::from_child(&child);
    match once {
        Computing => {
            wait_until(args, || catches(child.id(), signal) && ticks(id) >= SEARCHING);
        }
        Waiting { typed, said } => {
            stdin.write_all(typed.as_bytes()).expect("it reads");
            read_until(&mut child, said);
        }
    }
    // The kernel kills what computes on.
    let most = Some(ticks(id) / 100 + SOON);
    prlimit(Some(id), Resource::Cpu, Rlimit { current: most, maximum: most }).expect("it runs");
    kill_process(id, signal).expect("it runs");
    let ended = Ran::from(output_of(child));
    drop(stdin);
    ended
}

/// Reads what a program prints until this is in it.
fn read_until(child: &mut Child, wanted: &str) {
    let (out, mut said, mut byte) = (child.stdout.as_mut().expect("a pipe"), Vec::new(), [0]);
    while !said.ends_with(wanted.as_bytes()) {
        out.read_exact(&mut byte).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&said)));
        said.extend(byte);
    }
}

/// Returns whether a process has a handler for a signal.
fn catches(id: u32, signal: Signal) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigCgt:")?.trim(), 16).ok());
    caught.is_some_and(|caught| caught >> (signal.as_raw() - 1) & 1 == 1)
}

#[test]
fn a_game_is_left_cleanly() {
    for (args, once, signal) in [
        ("human average:4 --first 2", Waiting { typed: "", said: "human (O): " }, Signal::INT),
        ("average:40 human", Computing, Signal::INT),
        ("alphabeta:40 human", Computing, Signal::INT),
        ("mcts:1000000000 human", Computing, Signal::INT),
        ("perfect human --book none", Computing, Signal::INT),
        ("perfect random --quiet --book none", Computing, Signal::TERM),
    ] {
        let ended = stop(args, once, signal);
        assert_eq!(ended.status, Some(130), "{args}: {ended:?}");
        assert!(ended.err.contains("to go on with this game: connect4 "), "{args}: {ended:?}");
        let is_warned = ended.err.matches("perfect may think for a minute or two").count();
        assert_eq!(is_warned, usize::from(args.contains("perfect")), "{args}: {ended:?}");
    }
}

#[test]
fn other_commands_end_at_once() {
    for (args, once, signal) in [
        ("solve --book none", Computing, Signal::INT),
        ("solve --columns --book none -j 1", Computing, Signal::TERM),
        ("solve --stdin --size 4x4", Waiting { typed: "12\n", said: "\n" }, Signal::INT),
        ("evaluate -d 40", Computing, Signal::TERM),
        ("analyze 4444 --book none", Computing, Signal::INT),
        ("match perfect alphabeta:40 average:40 --openings 0 -j 1", Computing, Signal::INT),
    ] {
        let ended = stop(args, once, signal);
        assert_eq!(ended.status, Some(130), "{args}: {ended:?}");
    }
}

#[test]
fn perfect_takes_a_book_at_the_terminal() {
    let folder = Folder::new("terminal-book");
    let file = folder.file("book");
    let made = run(&format!("book make {} --size 4x4 --plies 4", file.display()), "");
    assert_eq!(made.status, Some(0), "{made:?}");
    let game = |book: &str| run(&format!("perfect random --quiet --size 4x4 {book}"), "");
    let (with, without) = (game(&format!("--book {}", file.display())), game(""));
    assert_eq!((with.status, &with.out, with.err.as_str()), (Some(0), &without.out, ""));
    for (args, complaint) in [
        (format!("random random --book {}", file.display()), "--book is for the players perfect and web"),
        (format!("perfect random --book {}", file.display()), "a book for 4x4, not for 7x6"),
    ] {
        let refused = run(&args, "");
        assert_eq!((refused.status, refused.err.lines().count()), (Some(2), 1), "{refused:?}");
        assert!(refused.err.contains(complaint), "{refused:?}");
    }
}

#[test]
fn a_stopped_level_has_no_move() {
    for level in ["average:40", "alphabeta:40", "mcts:1000000000", "perfect"] {
        let level: Level = level.parse().expect("a level");
        let mut player = LevelPlayer::new(level, Size::STANDARD, 1).expect("tables");
        // Beyond the opening book.
        assert_eq!(player.choose_unless(&position("444444112"), &|| true), None, "{level}");
    }
}
