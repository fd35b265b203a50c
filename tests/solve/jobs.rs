//! Searches that are shared out: on threads, on ranks, and with checkpoints.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use amazons_testing::let_pass;

use crate::cli::{Ran, ran, server};
use crate::support::{self, Mpi};

/// Too much for one job, and half a second in all.
const POSITION: &str = "1qqq1/5/5/1QQQ1 b";
const RESULT: &str = "black wins with ";

fn solve(options: &[&str]) -> Ran {
    server([&["solve", POSITION, "--table", "64M", "--no-proof", "--anew"], options].concat())
}

fn is_solved(ran: &Ran) -> bool {
    ran.status == 0 && ran.out.starts_with(RESULT)
}

fn positions(ran: &Ran) -> u64 {
    let told = ran.out.lines().nth(1).and_then(|line| line.split(' ').next());
    told.and_then(|number| number.parse().ok()).expect("the positions that were searched")
}

#[test]
fn the_square_of_5_x_5_is_decided_in_seconds() {
    let ran = server(["solve", "-m", "5", "--no-proof", "--anew", "--table", "64M"]);
    assert_eq!((ran.status, ran.out.lines().next()), (0, Some("black wins with b5-b3/d3")));
    // It took 17,865,936 before.
    assert!(positions(&ran) < 1_000_000, "{}", ran.out);
}

#[test]
fn known_results_are_told_at_once() {
    for (shape, mv) in [("d", "b6-b2/e2"), ("t", "a5-d2/d4")] {
        let ran = server(["solve", "-m", "6", "-t", shape]);
        assert_eq!(ran.out, format!("black wins with {mv}\nknown from docs/solved.md; --anew searches again\n"));
    }
    let lost: serde_json::Value =
        serde_json::from_str(&server(["solve", "1qq1/q2q/4/Q2Q/1QQ1 b", "--json"]).out).expect("JSON");
    assert_eq!(
        (lost["winner"].as_str(), lost["known"].as_bool(), lost["nodes"].as_u64()),
        (Some("white"), Some(true), Some(0))
    );
    assert!(lost["move"].is_null());
    let solved = server(["solve", "-m", "6", "-t", "d", "--anew", "--nodes", "50"]);
    assert_eq!((solved.status, solved.out.lines().next()), (1, Some("undecided")));
}

#[test]
fn a_search_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.checkpoint");
    let name = file.display().to_string();
    let whole = solve(&[]);
    assert!(is_solved(&whole), "{whole:?}");
    let part = solve(&["--nodes", "150000", "--checkpoint", &name]);
    assert_eq!((part.status, part.out.lines().next()), (1, Some("undecided")));
    let lines = || fs::read_to_string(&file).expect("a checkpoint").lines().count();
    let before = lines();
    assert!(before > 2, "{before} lines");
    for wait in [100, 300] {
        let mut command = Command::new(support::server());
        command.args(["solve", POSITION, "--table", "64M", "--no-proof", "--anew", "--checkpoint", &name]);
        let mut child = command.stdout(Stdio::null()).spawn().expect("the server runs");
        let_pass(Duration::from_millis(wait));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        assert!(lines() >= before, "nothing is lost");
    }
    let rest = solve(&["--checkpoint", &name]);
    assert!(is_solved(&rest), "{rest:?}");
    assert!(positions(&rest) < positions(&whole), "{} {}", rest.out, whole.out);
    let again = solve(&["--checkpoint", &name]);
    assert!(is_solved(&again), "{again:?}");
    // What took many positions is in the file.
    assert!(positions(&again) < positions(&whole) / 10, "{} {}", again.out, whole.out);
    let other = server(["solve", "-m", "6", "--checkpoint", &name]);
    let complaint =
        format!("server: --checkpoint: {name}: it is of another position, {POSITION} - - 0 1: name another file\n");
    assert_eq!((other.status, other.err), (2, complaint));
    let text = fs::read_to_string(&file).expect("a checkpoint");
    let number = lines() + 1;
    let complaint = format!("server: --checkpoint: {name}: line {number}: b4-b3/b2: there is no queen on b4 (1)\n");
    for line in [
        r#"{"moves":["b4-b3/b4","b4-b3/b2"],"winner":null}"#,
        r#"{"moves":["b4-b3/b4"],"winner":null,"weighed":[["b4-b3/b2",0.5,1]]}"#,
    ] {
        fs::write(&file, format!("{text}{line}\n")).expect("a file");
        let illegal = solve(&["--checkpoint", &name]);
        assert_eq!((illegal.status, &illegal.err), (2, &complaint));
    }
    fs::write(&file, "nonsense\n").expect("a file");
    let wrong = solve(&["--checkpoint", &name]);
    assert!(
        wrong.status == 2 && wrong.err.starts_with(&format!("server: --checkpoint: {name}: line 1 ")),
        "{}",
        wrong.err
    );
}

#[test]
fn threads_and_ranks_find_the_same_winner() {
    let threads = solve(&["--threads", "2"]);
    assert!(is_solved(&threads), "{threads:?}");
    for mpi in Mpi::installed() {
        let mut command = mpi.launch(2);
        command.arg(support::server()).args(["solve", POSITION, "--table", "64M", "--no-proof", "--anew"]);
        let ranks = ran(command.output().expect("the launcher can be run"));
        assert!(is_solved(&ranks), "{}: {ranks:?}", mpi.program);
    }
}

/// A search tells its progress every ten seconds.
mod long {
    use super::*;

    #[test]
    fn a_long_search_tells_how_far_it_has_come() {
        let mut command = Command::new(support::server());
        command.args(["solve", "-m", "6", "--table", "64M", "--time", "120s"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the server runs");
        let mut line = String::new();
        let stderr = child.stderr.take().expect("a pipe");
        BufReader::new(stderr).read_line(&mut line).expect("a line");
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let parts = [
            "server: ",
            " s, ",
            " positions, ",
            " jobs; ",
            " of 272 moves open; best ",
            " answers refuted; jobs left by the proof numbers: ",
            " if black wins, ",
            " if white wins: ",
            " s or more\n",
        ];
        let rest = parts.iter().try_fold(&*line, |rest, part| rest.split_once(part).map(|(_, rest)| rest));
        assert_eq!(rest, Some(""), "{line}");
    }
}
