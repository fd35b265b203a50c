//! Tables that the ranks of one machine share.

use std::env;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;

use amazons_launchers::Mpi;
use amazons_memory::{LineFile, Lines};
use serde_json::Value;

use crate::support::{feed, launch, run};

/// More than any machine has: a file takes no more than is used.
const LINES: u64 = 1 << 40;

/// Where the second process of a test finds the file.
const ADDRESS: &str = "CONNECT4_TEST_ADDRESS";

fn words(lines: &Lines) -> Vec<u64> {
    lines[9].0.iter().map(|word| word.load(Ordering::Relaxed)).collect()
}

fn hex(address: &[u8]) -> String {
    address.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Runs a test of this program in a second process, with an address; returns whether it passes.
fn passes_elsewhere(test: &str, address: &str) -> bool {
    let program = env::current_exe().expect("this program");
    let mut command = Command::new(program);
    command.args(["--exact", test]).env(ADDRESS, address).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().expect("it runs").success()
}

#[test]
fn two_processes_see_the_same_words() {
    let first = 3 << 30;
    if let Ok(address) = env::var(ADDRESS) {
        // The second process.
        let byte = |at: usize| u8::from_str_radix(&address[at..at + 2], 16).expect("digits");
        let address: Vec<u8> = (0..address.len()).step_by(2).map(byte).collect();
        let lines = LineFile::open(&address, LINES).expect("the file").map(first, 64).expect("lines");
        assert_eq!(words(&lines), [0, 0, 0, 5, 0, 0, 0, 0]);
        lines[9].0[7].store(6, Ordering::Relaxed);
        return;
    }
    let file = LineFile::create(LINES).expect("a file");
    let lines = file.map(first, 64).expect("lines");
    lines[9].0[3].store(5, Ordering::Relaxed);
    let test = "shared::two_processes_see_the_same_words";
    let mut wrong = file.address();
    wrong[15] ^= 1;
    assert!(!passes_elsewhere(test, &hex(&wrong)), "another file");
    assert!(passes_elsewhere(test, &hex(&file.address())));
    assert_eq!(words(&lines), [0, 0, 0, 5, 0, 0, 0, 6]);
    // Other lines are others, and cleared ones are zero.
    assert_eq!(words(&file.map(first + 64, 64).expect("lines")), [0; 8]);
    file.clear(first, 64).expect("it does");
    assert_eq!(words(&lines), [0; 8]);
}

#[test]
fn only_the_file_that_is_meant_opens() {
    let file = LineFile::create(LINES).expect("a file");
    let address = file.address();
    assert!(LineFile::open(&address, LINES).is_ok());
    let refusal = |address: &[u8], lines| LineFile::open(address, lines).expect_err("not that one").to_string();
    assert_eq!(refusal(&address, LINES - 1), "a file of another length");
    assert_eq!(refusal(&address[1..], LINES), "not the address of a file of lines");
    let mut other = address;
    other[8] ^= 1;
    assert_eq!(refusal(&other, LINES), "another file");
    // This process has no such file; no process has this number.
    for range in [4..8, 0..4] {
        other = address;
        other[range].fill(0x7F);
        assert!(refusal(&other, LINES).contains("No such file"));
    }
    drop(file);
    assert!(LineFile::open(&address, LINES).is_err(), "it is gone");
    assert!(LineFile::create(u64::MAX).is_err());
}

#[test]
fn lines_outside_the_file_are_refused() {
    let file = LineFile::create(128).expect("a file");
    assert!(file.map(64, 64).is_ok());
    for (first, number) in [(64, 65), (128, 1), (1, 1), (0, 0), (u64::MAX - 63, 64)] {
        assert!(file.map(first, number).is_err(), "{number} from {first} on");
    }
    assert!(file.clear(64, 65).is_err() && file.clear(u64::MAX, 1).is_err());
}

#[test]
fn two_ranks_look_at_hardly_more_positions_than_one() {
    let positions = |out: &str| -> u64 {
        let report: Value = serde_json::from_str(out).unwrap_or_else(|error| panic!("{error}: {out}"));
        report["calls"].as_u64().expect("a number")
    };
    let args = "evaluate -d 11 -T 2 -j 1 --json";
    let alone = positions(&run(args, "").out);
    for mpi in Mpi::installed() {
        let found = feed(launch(mpi, 2, &[]).args(args.split_whitespace()), "");
        assert_eq!(found.status, Some(0), "{}: {found:?}", mpi.program);
        // With tables of their own, they look at 1.6 times as many when each does half of the tasks.
        let both = positions(&found.out);
        assert!(both <= alone + alone / 4, "{}: {both} and {alone}", mpi.program);
    }
}
