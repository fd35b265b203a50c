//! The scripts that check sources and read logs, tried on small trees and a log.

use std::fs;
use std::path::Path;
use std::process::Command;

use amazons_testing::skip;
use tempfile::TempDir;

/// Runs a script on a tree with these files; returns whether it found nothing, and what it printed.
fn checked(script: &str, files: &[(&str, &str)]) -> (bool, String) {
    let tree = TempDir::new().expect("a folder");
    for (file, text) in files {
        let path = tree.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    run(script, &[tree.path()])
}

fn run(script: &str, arguments: &[&Path]) -> (bool, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts").join(script);
    let output = Command::new(script).args(arguments).output().expect("the script can be run");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).expect("text"))
}

/// Returns whether the scripts in Python can be run.
fn has_python() -> bool {
    let is_there = Path::new("/usr/bin/python3").exists();
    if !is_there {
        skip("there is no /usr/bin/python3 (Debian: apt-get install python3)");
    }
    is_there
}

#[test]
fn only_tests_of_time_look_at_a_clock() {
    let clocks = [
        "let begun = Ins#tant::now();",
        "assert!(begun.elap#sed().is_zero());",
        "thread::sl#eep(SHORT);",
        "assert!(took #< Duration::from_secs(2));",
        "assert!(LIMIT #>= answer.usage.cpu);",
        "assert!(event[\"cpu_us\"].as_u64() #> Some(400_000));",
        "if seconds #> 8.0 {}",
    ];
    // Here they are no clocks, for this file is checked, too.
    let text = clocks.join("\n").replace('#', "");
    let may_not = ["games/chess/tests/timings.rs", "tests/host/calls.rs", "tests/watch/untiming/mod.rs"];
    let (is_fine, said) = checked("check_sources.sh", &may_not.map(|file| (file, text.as_str())));
    assert!(!is_fine);
    for (file, line) in may_not.iter().flat_map(|file| (1..=clocks.len()).map(move |line| (file, line))) {
        assert!(said.contains(&format!("{file}:{line}: a clock decides")), "{file}:{line} {said}");
    }
    let counted =
        ["assert!(frames < 3);", "wait_until(\"it ends\", || is_gone(pid));", "let limit = LIMIT;"].join("\n");
    let may = ["tests/host/timing.rs", "tests/host/timing/fair.rs", "games/chess/tests/timing.rs", "src/clock.rs"];
    let files = [&may.map(|file| (file, text.as_str()))[..], &[("tests/host/calls.rs", counted.as_str())]].concat();
    assert_eq!(checked("check_sources.sh", &files), (true, String::new()));
}

#[test]
fn a_circle_in_a_program_is_found() {
    if !has_python() {
        return;
    }
    let library = ("games/go/src/lib.rs", "pub mod book;");
    let book = ("games/go/src/book.rs", "pub struct Page;");
    let main = ("games/go/src/bin/go/main.rs", "mod book;\nmod solve;\nuse book::run;");
    let solve = ("games/go/src/bin/go/solve.rs", "use crate::book::Page;");
    let check =
        |text| checked("check_imports.py", &[library, book, main, solve, ("games/go/src/bin/go/book.rs", text)]);
    assert_eq!(check("use go::book::Page;"), (true, String::new()));
    let (is_fine, said) = check("use crate::solve::MIB;");
    let files = "files import each other in a circle: games/go/src/bin/go/book.rs, games/go/src/bin/go/solve.rs";
    assert!(!is_fine && said.contains(files), "{said}");
}

#[test]
fn a_log_tells_what_failed_and_how_often_it_did() {
    if !has_python() {
        return;
    }
    const LOG: &str = "=== make test\n\
        test a::passes ... ok\n\
        test b::breaks ... FAILED\n\
        failures:\n\
        ---- b::breaks stdout ----\n\
        seed 77: five of six\n\
        failures:\n\
            b::breaks\n\
        test e::hangs has been running for over 60 seconds\n\
        test c::timing::late ... FAILED, try 1 of 5, exit status: 101\n\
        it took 9 s\n\
        test c::timing::late ... ok, try 2\n\
        test d::timing::never ... FAILED, try 5 of 5, exit status: 101\n\
        it took 99 s\n\
        FAILED tests/test_x.py::test_y - assert 1 == 2\n";
    let folder = TempDir::new().expect("a folder");
    let [log, history] = ["log", "made/history"].map(|name| folder.path().join(name));
    let read = |text: &str, commit: &str| {
        fs::write(&log, text).expect("a file");
        let (has_run, said) = run("failures.py", &[&log, &history, Path::new(commit)]);
        assert!(has_run, "{said}");
        said
    };
    assert_eq!(read("test a::passes ... ok\n", "aa"), "");
    read(LOG, "bb");
    let said = read(LOG, "cc");
    for part in [
        "=== b::breaks failed; so it did in 1 of the last 2 runs\n---- b::breaks stdout ----\nseed 77: five of six\nseeds: seed 77\n",
        "=== d::timing::never failed; so it did in 1 of",
        "it took 99 s",
        "=== tests/test_x.py::test_y failed; so it did in 1 of the last 2 runs\nassert 1 == 2",
        "=== e::hangs failed; so it did in 1 of the last 2 runs\ne::hangs did not end\n",
        "=== c::timing::late passed in try 2; so it did in 1 of",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("a::passes") && !said.contains("late failed"), "{said}");
    let runs = fs::read_to_string(history).expect("it");
    assert!(runs.lines().nth(2).is_some_and(|run| run.contains("\"commit\": \"cc\"")), "{runs}");
}
