//! The example of an autograder, and the file that it leaves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::support;

const RUN: &str = include_str!("../../examples/gradescope/run_autograder");
const SET_UP: &str = include_str!("../../examples/gradescope/setup.sh");

/// Gradescope's folder, with the server as a teacher packs it.
fn autograder() -> (TempDir, PathBuf) {
    let root = TempDir::new().expect("a folder");
    let source = root.path().join("source");
    for folder in ["source/include", "submission"] {
        fs::create_dir_all(root.path().join(folder)).expect("a folder");
    }
    fs::write(source.join("run_autograder"), RUN).expect("it can be written");
    support::write_headers(&source.join("include"));
    std::os::unix::fs::symlink(support::server(), source.join("server")).expect("a link");
    let path = root.path().to_owned();
    (root, path)
}

/// Grades what is in the folder of submissions; returns the results, and what was printed.
fn graded(root: &Path) -> (Value, String) {
    let mut command = Command::new("bash");
    command.arg(root.join("source/run_autograder")).env("AUTOGRADER", root).env_remove("MAKEFLAGS");
    let output = command.output().expect("there is bash");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let results = fs::read(root.join("results/results.json")).expect("it was written");
    (serde_json::from_slice(&results).expect("it is JSON"), said)
}

fn statuses<'a>(results: &'a Value, status: &str) -> Vec<&'a str> {
    let tests = results["tests"].as_array().expect("there are tests");
    tests.iter().filter(|test| test["status"] == status).map(|test| test["output"].as_str().expect("text")).collect()
}

#[test]
fn sources_are_built_and_graded() {
    let (_kept, root) = autograder();
    let submission = root.join("submission");
    let player = include_str!("../../players/c_mobility/c_mobility.c");
    fs::write(submission.join("player.c"), player).expect("it can be written");
    fs::write(submission.join("Makefile"), "team.so: player.c\n\tcc -shared -fPIC -O2 -I\"$(HEADERS)\" -o $@ $<\n")
        .expect("it can be written");
    fs::write(submission.join("old.so"), "stale").expect("it can be written");
    let (results, said) = graded(&root);
    assert_eq!(results["score"], 100.0, "{said}");
    assert_eq!(results["tests"].as_array().expect("tests").len(), 18);
    assert_eq!(statuses(&results, "failed"), [] as [&str; 0]);
    assert_eq!(results["leaderboard"][0]["value"], statuses(&results, "passed").len());
    assert!(said.lines().last().expect("a line").starts_with("passed: "), "{said}");
}

#[test]
fn what_fails_gets_points_for_what_it_does() {
    let (_kept, root) = autograder();
    let submission = root.join("submission");
    let (_folder, library) = super::build("#define NAME NULL");
    fs::copy(library, submission.join("player.so")).expect("it can be copied");
    let (results, _) = graded(&root);
    let score = results["score"].as_f64().expect("a number");
    assert!(score > 50.0 && score < 100.0, "{score}");
    let [failed] = statuses(&results, "failed")[..] else { panic!("{results:#}") };
    assert!(failed.contains("\nreturn a string of 1 to 64"), "{failed}");
    // A build that fails is graded, too.
    fs::write(submission.join("Makefile"), "all:\n\tcc -c missing.c\n").expect("it can be written");
    let (results, said) = graded(&root);
    assert_eq!(results["score"], 0.0);
    assert!(said.contains("make failed: see above") && said.contains("exactly one .so"), "{said}");
    assert!(statuses(&results, "failed")[0].contains("it is empty"), "{results:#}");
}

#[test]
fn the_set_up_is_a_script() {
    let mut check = Command::new("bash");
    assert!(check.args(["-n", "-c", SET_UP]).status().expect("there is bash").success());
    assert!(SET_UP.contains("build-essential"), "players are built there");
}

#[test]
fn results_that_cannot_be_written_are_an_error() {
    let output = Command::new(support::server())
        .args(["check", "-m", "5", "--results", "/no/such/folder/results.json"])
        .arg(support::player("random"))
        .output()
        .expect("the server can be run");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() > Some(1) && said.contains("/no/such/folder/results.json"), "{said}");
}
