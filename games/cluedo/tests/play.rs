//! The program as a person meets it: whole dialogues, wrong input, exit statuses, MPI.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use amazons_launchers::{Mpi, is_running, ranks_of};
use amazons_testing::{output_of, status_of, wait_until};
use cluedo::classic::replay;
use rustix::process::{Pid, Signal, kill_process};

use crate::support::{PROGRAM, TemporaryFile, command, launch, run, said};

/// Flags on the first line of each `.in` file, then what a person types.
fn dialogues() -> Vec<(String, Vec<String>, String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialogues");
    let mut dialogues = Vec::new();
    for entry in fs::read_dir(&folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "in") {
            let text = fs::read_to_string(&path).expect("text");
            let (flags, input) = text.split_once('\n').expect("flags");
            let flags = flags.split_whitespace().map(str::to_owned).collect();
            let expected = fs::read_to_string(path.with_extension("out")).expect("what it says");
            dialogues.push((path.display().to_string(), flags, input.to_owned(), expected));
        }
    }
    dialogues.sort();
    assert!(dialogues.len() > 8, "{dialogues:?}");
    dialogues
}

fn play<'a>(flags: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    ["play"].into_iter().chain(flags.iter().map(String::as_str)).chain(more.iter().copied()).collect()
}

#[test]
fn whole_dialogues() {
    for (name, flags, input, expected) in dialogues() {
        let record = TemporaryFile::new();
        let args = play(&flags, &["--record", record.name()]);
        assert_eq!(said(command(&args), input.as_bytes()), expected, "{name}");
        // It writes no record of a game that did not begin.
        if expected.contains("Your cards") {
            replay(&record.text()).expect(&name);
            assert!(said(command(&["verify", record.name()]), b"").contains(": right: "), "{name}");
        }
        // Words may stand on lines of their own.
        let spread = input.split_whitespace().collect::<Vec<_>>().join("\r\n\n\t ");
        assert_eq!(said(command(&play(&flags, &[])), spread.as_bytes()), expected, "{name}, spread");
    }
}

#[test]
fn strange_input() {
    let digits = vec![b'7'; 10_000_000];
    let cases: [&[u8]; 5] = [&digits, b"\0\0\0 \0", b"\xff\xfe \xc3", b"3\x00 2", "\u{1f52a} \u{202e}".as_bytes()];
    for input in cases {
        let output = run(command(&["play", "--seed", "1"]), input);
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert!(text.len() < 1000 && text.ends_with("You leave before the game.\n"), "{text}");
        let told = ["is not possible: type a number from 2 to 5", "that line is too long: type at most 4096 bytes"];
        assert!(text.lines().skip(1).any(|line| told.iter().any(|told| line.contains(told))), "{text}");
    }
    let many = [b"2 0\n".to_vec(), b"9\n".repeat(100_000)].concat();
    let text = said(command(&["play", "--seed", "1"]), &many);
    assert_eq!(text.matches("\"9\" is not a choice").count(), 100_000);
}

#[test]
fn wrong_usage() {
    let cases = [
        (vec![], "a command is missing"),
        (vec!["play", "--seed", "99999999999999999999"], "too large"),
        (vec!["play", "--ais", "6"], "2..=5"),
        (vec!["play", "--ais", "1"], "2..=5"),
        (
            vec!["play", "--type", "clever"],
            "'clever' for '--type <TYPE>' [possible values: default, listening, mix, memory, logic, exact]",
        ),
        (vec!["play", "--ai", "default"], "at least 2 AIs must play"),
        (vec!["play", "--ai", "mix,mix,mix,mix,mix,mix"], "at most 5 AIs can play"),
        (vec!["play", "--ai", "mix,mix", "--ais", "2"], "cannot be used with"),
        (vec!["play", "--transport", "mpi"], "mpirun -np 6 cluedo play"),
        (vec!["play", "--ais", "2", "--type", "0", "--record", "/nowhere/x"], "cannot write /nowhere/x"),
        (vec!["statistics", "--ais", "2..6"], "2 to 5 AIs can play"),
        (vec!["statistics", "--ais", "5..2"], "FIRST..LAST"),
        (vec!["statistics", "--types", "default,x"], "'x' for '--types <TYPES>' [possible values: default,"),
        (vec!["statistics", "--ai", "exact"], "--ai seats 2 to 5 AIs"),
        (vec!["statistics", "--ai", "mix,mix,mix,mix,mix,mix"], "--ai seats 2 to 5 AIs"),
        (vec!["statistics", "--ai", "exact,default", "--types", "mix"], "cannot be used with"),
        (vec!["statistics", "--exact", "--games", "5"], "cannot be used with"),
        (vec!["replay", "/nowhere/x"], "cannot read /nowhere/x"),
    ];
    for (args, reason) in cases {
        let output = run(command(&args), b"");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(reason), "{args:?}: {error}");
    }
}

#[test]
fn a_reader_that_goes_away() {
    let mut child = command(&["play", "--seed", "1", "--ais", "2", "--type", "0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut output = child.stdout.take().expect("a pipe");
    let mut first = [0];
    output.read_exact(&mut first).expect("it says something");
    drop(output);
    let mut input = child.stdin.take().expect("a pipe");
    // It may end while this is being written.
    let _ = input.write_all(&b"1 0 6 12 ".repeat(1000));
    drop(input);
    assert_eq!(status_of(&mut child).code(), Some(141));
}

#[test]
fn ctrl_c_ends_it_while_a_person_thinks() {
    // Without `timeout`, so that the signal reaches the program itself.
    let mut child = Command::new(PROGRAM)
        .args(["play", "--seed", "1", "--ais", "2", "--type", "0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut first = [0; 100];
    child.stdout.as_mut().expect("a pipe").read_exact(&mut first).expect("it says something");
    kill_process(Pid::from_child(&child), Signal::INT).expect("it is told");
    assert_eq!(status_of(&mut child).code(), Some(130));
}

#[test]
fn statistics_do_not_depend_on_threads() {
    let args = ["statistics", "--games", "12001", "--types", "default,mix", "--ais", "2..3", "--document"];
    let one = said(command(&[&args[..], &["-j", "1"]].concat()), b"");
    let three = said(command(&[&args[..], &["-j", "3"]].concat()), b"");
    assert_eq!(one, three);
    let json = said(command(&["statistics", "--games", "500", "--seed", "1..2", "--json"]), b"");
    let cells: Vec<serde_json::Value> = serde_json::from_str(&json).expect("JSON");
    assert_eq!(cells.len(), 24);
    for cell in cells {
        let rounds: u64 = cell["rounds"].as_array().expect("a list").iter().filter_map(|count| count.as_u64()).sum();
        assert_eq!((rounds, cell["games"].as_u64()), (500, Some(500)));
    }
    let exact = said(command(&["statistics", "--exact"]), b"");
    assert!(exact.contains("7.1852") && exact.contains("61.924 %"), "{exact}");
}

#[test]
fn both_libraries_play_the_same_game() {
    let all = dialogues();
    let named = |wanted: &str| all.iter().find(|(name, ..)| name.ends_with(wanted)).expect("a dialogue");
    for mpi in Mpi::installed() {
        for (ranks, name) in [(4, "stay.in"), (6, "stay.in"), (6, "reasoning.in")] {
            let (_, flags, input, expected) = named(name);
            let (threads, record) = (TemporaryFile::new(), TemporaryFile::new());
            said(command(&play(flags, &["--record", threads.name()])), input.as_bytes());
            let text = said(launch(mpi, ranks, &play(flags, &["--record", record.name()])), input.as_bytes());
            assert_eq!(&text, expected, "{}", mpi.program);
            assert_eq!(record.text(), threads.text(), "{}", mpi.program);
        }
    }
}

#[test]
fn both_libraries_count_the_same() {
    // A hundred lines of JSON from two ranks are those of one.
    let args = ["statistics", "--games", "8000", "--ais", "2", "--json"];
    let alone = said(command(&args), b"");
    for mpi in Mpi::installed() {
        assert_eq!(said(launch(mpi, 2, &args), b""), alone, "{}", mpi.program);
    }
}

#[test]
fn both_libraries_say_once_what_is_wrong() {
    for mpi in Mpi::installed() {
        for (ranks, flags, reason) in
            [(3, &["play", "--ais", "4"][..], "enough for 2 AIs"), (2, &["play"], "2 AIs need 3 ranks")]
        {
            let output = mpi.repeat(|| run(launch(mpi, ranks, flags), b""), |output| output.status.code());
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{}: {error}", mpi.program);
            assert_eq!(error.matches(reason).count(), 1, "{}: {error}", mpi.program);
        }
    }
}

#[test]
fn input_that_ends_before_the_game_leaves_no_rank() {
    for mpi in Mpi::installed() {
        assert!(said(launch(mpi, 6, &["play"]), b"2").contains("You leave before the game."), "{}", mpi.program);
    }
}

/// Starts a game on ranks and waits for the person's first turn.
pub(crate) fn first_turn(mpi: &Mpi, ranks: usize, args: &[&str]) -> Child {
    let mut child = launch(mpi, ranks, args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut said = Vec::new();
    while !String::from_utf8_lossy(&said).contains("Your turn") {
        let mut byte = [0];
        child.stdout.as_mut().expect("a pipe").read_exact(&mut byte).expect("it says something");
        said.extend(byte);
    }
    child
}

/// Heavy: launchers take seconds.
mod long {
    use super::*;

    #[test]
    fn games_on_ranks_are_those_of_direct_calls() {
        // Processes that share few cores play only some tens of games a second.
        let games = std::env::var("CLUEDO_MPI_GAMES").unwrap_or_else(|_| "200".to_owned());
        for (ai_type, games) in [("default", "1000"), ("listening", "1000"), ("mix", "1000"), ("exact", "300")] {
            let args = ["bench", "--ais", "3", "--games", games, "--direct", "1000", "--type", ai_type];
            assert!(said(command(&args), b"").contains("the same as by direct calls"));
        }
        for mpi in Mpi::installed() {
            // Half of the games are of AIs that are told the answers to others.
            let half = (games.parse::<u64>().expect("a number") / 2).max(1).to_string();
            for ai_type in ["mix", "exact"] {
                let args = ["bench", "--ais", "2", "--games", &half, "--direct", "1000", "--type", ai_type];
                let output = run(launch(mpi, 3, &args), b"");
                // `timeout` says 124: nothing was wrong until then.
                if output.status.code() == Some(124) {
                    println!("{}: {games} games take longer than two minutes here", mpi.program);
                    continue;
                }
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                assert!(text.contains("the same as by direct calls"), "{}: {output:?}", mpi.program);
            }
        }
    }

    /// Stops rank 2 while the person thinks; returns what the program says then.
    fn stopped(mpi: &Mpi) -> String {
        let record = TemporaryFile::new();
        let args = ["play", "--seed", "78", "--ais", "3", "--type", "0", "--ai-time", "5", "--record", record.name()];
        let mut child = first_turn(mpi, 4, &args);
        let second = ranks_of(&child, PROGRAM)[2];
        kill_process(second, Signal::STOP).expect("it stops");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(b"1 0 6 12\n").expect("it is read");
        let output = output_of(child);
        // Its launcher has killed it already, if it could.
        let _ = kill_process(second, Signal::KILL);
        drop(input);
        assert_eq!(output.status.code(), Some(70), "{}: {output:?}", mpi.program);
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    #[test]
    fn an_ai_that_stops_is_named() {
        for mpi in Mpi::installed() {
            // A launcher may lose the last lines of a job that is aborted, and on a busy machine another rank may be late.
            let mut said = Vec::new();
            let is_named = (0..3).any(|_| {
                said.push(stopped(mpi));
                said.iter().any(|error| error.contains("rank 2 has not answered within 5.0 s"))
            });
            assert!(is_named, "{}: {said:?}", mpi.program);
        }
    }

    /// A launcher may let the others live: the one that was lost is named at the next message, not after a long wait.
    #[test]
    fn a_rank_that_is_lost_is_named_at_once() {
        for mpi in Mpi::installed().filter(|mpi| mpi.program == "mpirun.openmpi") {
            let record = TemporaryFile::new();
            let mut command = mpi.launch_for(120, 4);
            // Nobody waits that long for an AI's answer.
            command.args([mpi.keep_others, PROGRAM, "play", "--ais", "3", "--type", "0", "--ai-time", "3600"]);
            command.args(["--record", record.name()]);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().expect("it starts");
            // The record is there once all ranks have met.
            wait_until("a game begins", || fs::metadata(&record.0).is_ok_and(|about| about.len() > 0));
            let last = ranks_of(&child, PROGRAM)[3];
            kill_process(last, Signal::KILL).expect("it ran");
            wait_until("the rank has ended", || !is_running(last));
            child.stdin.take().expect("a pipe").write_all(b"1 plum rope hall\n").expect("it reads");
            let output = output_of(child);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(errors.contains("cluedo: rank 3 has failed\n"), "{errors}");
        }
    }

    /// A rank that is killed ends the job: no launcher waits for it, and no rank is left.
    #[test]
    fn a_rank_that_is_killed() {
        for mpi in Mpi::installed() {
            for (rank, input) in [(2, &b"1 0 6 12\n"[..]), (2, b""), (0, b"")] {
                let record = TemporaryFile::new();
                let args = ["play", "--seed", "78", "--ais", "3", "--type", "0", "--record", record.name()];
                let mut child = first_turn(mpi, 4, &args);
                let ranks = ranks_of(&child, PROGRAM);
                kill_process(ranks[rank], Signal::KILL).expect("it ran");
                // The launcher may have gone already.
                let mut stdin = child.stdin.take().expect("a pipe");
                let _ = stdin.write_all(input);
                let output = output_of(child);
                let status = output.status.code();
                assert!(![Some(0), Some(124)].contains(&status), "{}, rank {rank}: {output:?}", mpi.program);
                // A launcher may end before the ranks that it has killed.
                wait_until("all ranks end", || !ranks.iter().copied().any(is_running));
            }
        }
    }

    /// Input that is not meant for a game ends it with a line, and no rank waits on.
    #[test]
    fn strange_input_over_ranks() {
        for mpi in Mpi::installed() {
            // MPICH's launcher gives up when so much input is read more slowly than it comes.
            let digits = vec![b'7'; if mpi.program.ends_with("mpich") { 50_000 } else { 10_000_000 }];
            let cases: [&[u8]; 4] = [&digits, b"\0\0\0 \0", b"\xff\xfe \xc3", b""];
            for input in cases {
                let output = run(launch(mpi, 3, &["play", "--seed", "1"]), input);
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                assert_eq!(output.status.code(), Some(0), "{}: {text}", mpi.program);
                assert!(text.len() < 1000 && text.ends_with("You leave before the game.\n"), "{}: {text}", mpi.program);
            }
            // One rank alone plays with threads; many ranks sleep until the end, if someone wants to wait for them.
            let many = std::env::var("CLUEDO_MANY_RANKS").map_or(12, |ranks| ranks.parse().expect("a number"));
            for ranks in [1, many] {
                let args = ["play", "--ais", "2", "--type", "0", "--seed", "1"];
                let text = said(launch(mpi, ranks, &args), b"");
                assert!(text.contains("You leave the game."), "{}, {ranks} ranks: {text}", mpi.program);
            }
        }
    }
}
