//! Ctrl-C and termination requests, while the program waits and while it computes.

use std::process::Stdio;
use std::time::{Duration, Instant};
use std::{fs, thread};

use connect4::{Level, LevelPlayer, Size};
use rustix::process::{Pid, Signal, kill_process};

use crate::support::{Folder, Ran, connect4, position, run};

/// The processor time that shows that a search is under way, in the kernel's ticks of 10 ms.
const SEARCHING: u64 = 20;

/// Far more than any stop takes, far less than any of these searches.
const SOON: Duration = Duration::from_secs(15);

/// Starts it, sends the signal once it has computed for a while or waits for a person, and returns how it ended.
fn stop(args: &str, signal: Signal) -> Ran {
    let mut command = connect4();
    command.args(args.split_whitespace()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it can be run");
    // Input that never comes, and never ends.
    let stdin = child.stdin.take();
    let begun = Instant::now();
    while ticks(child.id()) < SEARCHING && begun.elapsed() < Duration::from_secs(2) {
        thread::sleep(Duration::from_millis(10));
    }
    kill_process(Pid::from_child(&child), signal).expect("it runs");
    let sent = Instant::now();
    let ended = Ran::from(child.wait_with_output().expect("it ends"));
    drop(stdin);
    println!("{args}: stopped after {:?}", sent.elapsed());
    assert!(sent.elapsed() < SOON, "{args}: {ended:?}");
    ended
}

/// Returns the processor time of a process.
fn ticks(id: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // The name may contain spaces: user and system time are the 12th and 13th words behind it.
    let words = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().skip(11).take(2);
    words.filter_map(|word| word.parse::<u64>().ok()).sum()
}

#[test]
fn a_game_is_left_cleanly() {
    for (args, signal) in [
        ("human average:4 --first 2", Signal::INT),
        ("average:40 human", Signal::INT),
        ("alphabeta:40 human", Signal::INT),
        ("mcts:1000000000 human", Signal::INT),
        ("perfect human --book none", Signal::INT),
        ("perfect random --quiet --book none", Signal::TERM),
    ] {
        let ended = stop(args, signal);
        assert_eq!(ended.status, Some(130), "{args}: {ended:?}");
        assert!(ended.err.contains("to go on with this game: connect4 "), "{args}: {ended:?}");
        let is_warned = ended.err.matches("perfect may think for a minute or two").count();
        assert_eq!(is_warned, usize::from(args.contains("perfect")), "{args}: {ended:?}");
    }
}

#[test]
fn other_commands_end_at_once() {
    for (args, signal) in [
        ("solve --book none", Signal::INT),
        ("solve --columns --book none -j 1", Signal::TERM),
        ("solve --stdin", Signal::INT),
        ("evaluate -d 40", Signal::TERM),
        ("analyze 4444 --book none", Signal::INT),
        ("match perfect alphabeta:40 average:40 --openings 0 -j 1", Signal::INT),
    ] {
        let ended = stop(args, signal);
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
