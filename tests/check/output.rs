use std::process::{Command, Output};

use super::{build, check};
use crate::support;

fn server(args: &[&str]) -> Output {
    Command::new(support::server()).args(args).output().expect("the server can be run")
}

#[test]
fn a_bundled_player_passes() {
    let checked = check(&support::player("random"), ["-m", "8"]);
    assert_eq!((checked.status, checked.with("failed")), (0, vec![]), "{checked:#?}");
    let numbers: Vec<_> = checked.steps.iter().map(|step| step["step"].as_u64()).collect();
    assert_eq!(numbers, (1..=18).map(Some).collect::<Vec<_>>());
    assert_eq!(checked.detail("name"), "'random'");
    assert_eq!(checked.summary["verdict"], "passed");
    let counts = ["passed", "failed", "warnings", "skipped"].map(|key| checked.summary[key].as_u64().expect("a count"));
    assert_eq!((counts.iter().sum::<u64>(), counts[1], counts[2]), (18, 0, 0));
}

#[test]
fn lines_for_people() {
    let (_folder, library) = build("#define NAME NULL");
    let output = server(&["check", "-m", "5", library.to_str().expect("text")]);
    let out = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(1), "{out}");
    assert!(out.contains("\n 4  Failed   it has a printable name: get_player_name returned NULL"), "{out}");
    assert!(out.contains("\n             return a string"), "{out}");
    assert!(out.lines().last().expect("a line").starts_with("failed: "), "{out}");
    assert!(out.contains(" 1 failed (step 4)"), "{out}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "it is said once");
}

#[test]
fn wrong_usage() {
    let random = support::player("random");
    let random = random.to_str().expect("text");
    for args in [
        &["check"][..],
        &["check", "/nowhere/player.so"],
        &["check", random, random],
        &["check", random, "-m", "3"],
        &["check", random, "--move-time", "never"],
        &["check", random, "--quiet"],
    ] {
        let output = server(args);
        let complaint = String::from_utf8(output.stderr).expect("text");
        assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{args:?}: {complaint}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}
