//! The program under the launchers of both MPI libraries.

use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::{fs, thread};

use amazons_launchers::{Mpi, ranks_of};
use amazons_mpi::physical_cores;
use amazons_testing::{output_of, skip, status_of};
use connect4::record::{Reason, Record};
use rustix::process::{Signal, kill_process};
use serde_json::Value;

use crate::support::{Folder, PROGRAM, feed, launch, run};

/// Returns the bits of the scores in the output of `evaluate --json`.
fn bits(out: &str) -> Vec<String> {
    let report: Value = serde_json::from_str(out).unwrap_or_else(|error| panic!("{error}: {out}"));
    let columns = report["columns"].as_array().expect("columns");
    columns.iter().map(|column| column["bits"].to_string()).collect()
}

#[test]
fn the_same_bits_and_the_same_game() {
    let (args, game) = (["evaluate", "4444", "-d", "8", "--json"], ["average:6", "average:4", "--quiet"]);
    let (expected, played) = (run(&args.join(" "), ""), run(&game.join(" "), ""));
    for mpi in Mpi::installed() {
        let found = feed(launch(mpi, 3, &[]).args(args), "");
        assert_eq!(found.status, Some(0), "{}: {found:?}", mpi.program);
        assert_eq!(bits(&found.out), bits(&expected.out), "{}", mpi.program);
        let same = feed(launch(mpi, 3, &[]).args(game), "");
        assert_eq!((same.status, same.out.trim()), (Some(0), played.out.trim()), "{}: {same:?}", mpi.program);
    }
}

/// The columns of `solve` that no number of ranks changes: the position and its results.
fn results(out: &str) -> Vec<&str> {
    out.lines().map(|line| line.rsplitn(3, ' ').nth(2).unwrap_or(line)).collect()
}

#[test]
fn the_same_scores() {
    let moves = "5554224333234511764415115\n7137137772572421345312451664\n1212121\n121212\n";
    for args in [&["solve", "--stdin"][..], &["solve", "--stdin", "--weak"], &["solve", "--stdin", "--columns"]] {
        let expected = run(&args.join(" "), moves);
        assert_eq!(expected.out.lines().count(), 4, "{expected:?}");
        for mpi in Mpi::installed() {
            let solve = || feed(launch(mpi, 3, &[]).args(args).args(["--memory", "16"]), moves);
            let found = mpi.repeat(solve, |found| found.status);
            // One of the games is over.
            assert_eq!((found.status, expected.status), (Some(1), Some(1)), "{}: {found:?}", mpi.program);
            assert_eq!(results(&found.out), results(&expected.out), "{} {args:?}", mpi.program);
            assert_eq!(found.err.matches("line 3: the game is over").count(), 1, "{}: {found:?}", mpi.program);
        }
    }
}

#[test]
fn only_rank_0_speaks() {
    for mpi in Mpi::installed() {
        for (args, status, line) in [
            ("perft -d 1", 0, " 1                    7                  0 won"),
            ("evaluate -d 0", 2, "connect4: invalid value '0' for"),
            ("evaluate 8", 2, "connect4: position \"8\": no column"),
            // Every rank finds this mistake before they meet.
            ("bench -j 1000", 2, "connect4: 1000 ranks are more than the "),
        ] {
            let ran = mpi.repeat(|| feed(launch(mpi, 3, &[]).args(args.split_whitespace()), ""), |ran| ran.status);
            assert_eq!(ran.status, Some(status), "{}: {ran:?}", mpi.program);
            let said = format!("{}{}", ran.out, ran.err);
            assert_eq!(said.matches(line).count(), 1, "{} {args}: {said}", mpi.program);
        }
    }
}

#[test]
fn ranks_that_are_bound_to_cores_have_one_each() {
    if physical_cores().map_or(true, |cores| cores.len() < 2) {
        return skip("two ranks need two cores");
    }
    for mpi in Mpi::installed() {
        let bind = if mpi.program == "mpirun.openmpi" { "--bind-to" } else { "-bind-to" };
        let ran = feed(launch(mpi, 2, &[bind, "core"]).args(["bench", "-d", "4", "--repeat", "1"]), "");
        assert_eq!(ran.status, Some(0), "{}: {ran:?}", mpi.program);
    }
}

/// Launchers that are told to keep the others do not end them when rank 0 has nothing for them.
#[test]
fn a_mistake_of_rank_0_ends_the_others() {
    for mpi in Mpi::installed() {
        for args in ["solve --book /nowhere 4", "--resume /nowhere", "bench -d 3 --force --svg /proc/nowhere"] {
            let ran = feed(launch(mpi, 3, &[mpi.keep_others]).args(args.split_whitespace()), "");
            let said: Vec<&str> = ran.err.lines().filter(|line| line.starts_with("connect4: ")).collect();
            // With its option, MPICH's launcher now and then loses what a process says right before its end.
            let is_lost = said.is_empty() && mpi.program == "mpirun.mpich";
            assert!(is_lost || said.len() == 1 && said[0].contains("/nowhere"), "{} {args}: {ran:?}", mpi.program);
        }
    }
}

#[test]
fn all_ranks_answer_each_line_before_the_next_comes() {
    for mpi in Mpi::installed() {
        let mut command = launch(mpi, 2, &[]);
        command.args(["solve", "--stdin"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the launcher can be run");
        let (mut stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let mut out = BufReader::new(stdout);
        for moves in ["2252576253462244111563365343671351441", "7137137772572421345312451664"] {
            writeln!(stdin, "{moves}").expect("it reads");
            assert!(read_until(&mut out, &format!("{moves} -1 ")), "{} {moves}", mpi.program);
        }
        // Small questions take a small table, not the gibibyte that a long search may have.
        let rank_0 = ranks_of(&child, PROGRAM)[0].as_raw_nonzero();
        let about = fs::read_to_string(format!("/proc/{rank_0}/status")).expect("it runs");
        let most = about.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        let most: u64 = most.expect("a line").parse().expect("a number");
        assert!(most < 128 << 10, "{} {most} KiB", mpi.program);
        drop(stdin);
        assert!(status_of(&mut child).success(), "{}", mpi.program);
    }
}

#[test]
fn workers_end_soon_after_rank_0() {
    // MPICH's launcher ends all ranks when a signal has ended one.
    for mpi in Mpi::installed().filter(|mpi| mpi.program == "mpirun.openmpi") {
        let folder = Folder::new("headless");
        let mut command = launch(mpi, 3, &[mpi.keep_others]);
        command.args(["human", "random", "--record"]).arg(folder.file("game.jsonl"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the launcher can be run");
        let (mut stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let mut out = BufReader::new(stdout);
        stdin.write_all(b"4\n").expect("it reads");
        assert!(read_until(&mut out, "random (O) plays"));
        kill_process(ranks_of(&child, PROGRAM)[0], Signal::KILL).expect("it runs");
        let ended = output_of(child);
        let err = String::from_utf8_lossy(&ended.stderr).into_owned();
        // Its silence, for two minutes, would be told in other words. The launcher may end before it has passed on all.
        assert!(err.contains("rank 0 has ended"), "{err}");
    }
}

#[test]
fn a_killed_worker_costs_no_game() {
    for mpi in Mpi::installed() {
        let folder = Folder::new(&format!("killed-{}", mpi.program));
        let record = folder.file("game.jsonl");
        let mut command = launch(mpi, 3, &[mpi.keep_others]);
        command.args(["human", "average:8", "--lost-after", "2", "--record"]).arg(&record);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the launcher can be run");
        let (mut stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let mut out = BufReader::new(stdout);
        stdin.write_all(b"4\n").expect("it reads");
        assert!(read_until(&mut out, "average:8 (O) plays"), "{}", mpi.program);
        kill_process(ranks_of(&child, PROGRAM)[2], Signal::KILL).expect("it runs");
        // The launcher may have ended all ranks by now.
        let _ = stdin.write_all(b"4\n");
        let goes_on = read_until(&mut out, "average:8 (O) plays");
        let _ = stdin.write_all(b"quit\n");
        drop(stdin);
        let reader = thread::spawn(move || std::io::copy(&mut out, &mut std::io::sink()));
        let ended = output_of(child);
        reader.join().expect("no panic").expect("its output");
        let err = String::from_utf8_lossy(&ended.stderr).into_owned();
        let resume = format!("should a rank die, go on with: connect4 --resume {}", record.display());
        assert!(err.contains(&resume), "{}: {err}", mpi.program);
        let kept = moves(&record);
        if mpi.program == "mpirun.openmpi" {
            let is_said = err.contains("rank 2 is lost") && err.contains("the others do its tasks");
            assert!(goes_on && is_said, "{}: {err}", mpi.program);
            assert_eq!(kept.len(), 4, "{kept}");
        }
        // MPICH's launcher ends all ranks when a signal has ended one, sooner or later: the game stands at any of these.
        assert!(["43", "434", "4344"].contains(&kept.as_str()), "{}: {kept}", mpi.program);
        let resumed = run(&format!("--quiet --resume {}", record.display()), "4\nquit\n");
        assert_eq!(resumed.status, Some(0), "{}: {}", mpi.program, resumed.err);
        // The same moves as without a launcher.
        let alone = run("human average:8 --quiet --json", "4\n4\n4\nquit\n");
        let alone = Record::parse(&alone.out).expect("a record").all_moves();
        let all = moves(&record);
        assert!(alone.starts_with(&all) && all.len() >= kept.len() + 2, "{}: {kept}, {all}, {alone}", mpi.program);
    }
}

#[test]
fn perfect_plays_the_same_on_all_ranks() {
    // Long enough that rank 0 does not find the first move alone.
    let args = ["perfect", "perfect", "--json", "--position", "13555111322723"];
    let expected = Record::parse(&run(&args.join(" "), "").out).expect("a record");
    for mpi in Mpi::installed() {
        let found = feed(launch(mpi, 3, &[]).args(args), "");
        let found = Record::parse(&found.out).unwrap_or_else(|error| panic!("{}: {error}: {found:?}", mpi.program));
        let scores = |record: &Record| record.moves.iter().map(|played| played.score).collect::<Vec<_>>();
        assert_eq!((found.all_moves(), scores(&found)), (expected.all_moves(), scores(&expected)), "{}", mpi.program);
    }
}

#[test]
fn a_stopped_worker_holds_nobody_up() {
    for mpi in Mpi::installed() {
        let folder = Folder::new(&format!("stopped-{}", mpi.program));
        // With their options to keep the others, launchers would wait for the stopped rank.
        let mut command = launch(mpi, 3, &[]);
        command.args(["human", "random", "--lost-after", "1", "--record"]).arg(folder.file("game.jsonl"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the launcher can be run");
        let (mut stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let mut out = BufReader::new(stdout);
        stdin.write_all(b"4\n").expect("it reads");
        assert!(read_until(&mut out, "random (O) plays"), "{}", mpi.program);
        let worker = ranks_of(&child, PROGRAM)[2];
        kill_process(worker, Signal::STOP).expect("it runs");
        stdin.write_all(b"quit\n").expect("it reads");
        let reader = thread::spawn(move || std::io::copy(&mut out, &mut std::io::sink()));
        let ended = output_of(child);
        reader.join().expect("no panic").expect("its output");
        // Its launcher has ended it; otherwise it would be in the way for ever.
        let _ = kill_process(worker, Signal::KILL);
        let err = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(err.contains("rank 2 ") && err.contains("nothing was heard of it for 1 s"), "{}: {err}", mpi.program);
    }
}

#[test]
fn the_end_of_input_gives_up_no_game() {
    for mpi in Mpi::installed() {
        let folder = Folder::new(&format!("closed-{}", mpi.program));
        let record = folder.file("game.jsonl");
        let mut command = launch(mpi, 2, &[]);
        let ran = feed(command.args(["human", "random", "--record"]).arg(&record), "4\n");
        assert!(ran.err.contains("to go on with this game: connect4 human random"), "{}: {ran:?}", mpi.program);
        assert!(!ran.out.contains("resigns"), "{}: {ran:?}", mpi.program);
        let kept = Record::parse(&fs::read_to_string(&record).expect("a record")).expect("it reads back");
        let reason = kept.result.map(|result| result.reason);
        assert_eq!((kept.moves.len(), reason), (2, Some(Reason::Stopped)), "{}", mpi.program);
    }
}

#[test]
fn games_under_a_launcher_keep_earlier_ones() {
    for mpi in Mpi::installed() {
        let folder = Folder::new(&format!("kept-{}", mpi.program));
        for (moves, name) in [("4", "connect4-game.jsonl"), ("55", "connect4-game-2.jsonl")] {
            let input: String = moves.chars().map(|column| format!("{column}\n")).collect();
            let mut command = launch(mpi, 2, &[]);
            let ran = feed(command.args(["human", "human"]).current_dir(folder.file("")), &(input + "quit\n"));
            assert_eq!(ran.status, Some(0), "{}: {ran:?}", mpi.program);
            let text = fs::read_to_string(folder.file(name)).expect(name);
            assert_eq!(Record::parse(&text).expect("it reads back").all_moves(), moves, "{}", mpi.program);
        }
    }
}

/// Returns the moves in a record.
fn moves(record: &Path) -> String {
    Record::parse(&fs::read_to_string(record).expect("a record")).expect("it reads back").all_moves()
}

/// Reads lines until one contains this; returns whether one does.
fn read_until(out: &mut impl BufRead, part: &str) -> bool {
    let mut line = String::new();
    while out.read_line(&mut line).is_ok_and(|length| length > 0) {
        if line.contains(part) {
            return true;
        }
        line.clear();
    }
    false
}
