//! The command's messages about incomplete records.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::written;
use crate::referee::Script;
use crate::support;

/// Returns the status, stdout and stderr of `server replay`; coreutils' `timeout` ends one that hangs.
fn replay(path: &Path) -> (Option<i32>, String, String) {
    let ran = Command::new("timeout")
        .arg("20")
        .arg(support::server())
        .arg("replay")
        .arg(path)
        .output()
        .expect("the server runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (ran.status.code(), text(ran.stdout), text(ran.stderr))
}

#[test]
fn only_regular_files_are_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs").success());
    for path in [fifo.as_path(), folder.path(), Path::new("/dev/zero")] {
        let complaint = format!("server: cannot read {}: it is not a regular file\n", path.display());
        assert_eq!(replay(path), (Some(2), String::new(), complaint));
    }
}

#[test]
fn a_game_that_was_cut_off_is_refuted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.jsonl");
    let bytes = written([Script::Honest; 2], Some(2));
    let first = bytes.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
    fs::write(&path, &bytes[..first]).expect("a file");
    let (status, _, complaint) = replay(&path);
    assert_eq!(status, Some(1), "{complaint}");
    assert!(complaint.ends_with("the record stops after line 1 without an end: the game was cut off\n"), "{complaint}");
}

#[test]
fn the_game_is_told_in_the_order_of_the_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.jsonl");
    let failing = Script::Fails(amazons::referee::Call::Finalize, 1, amazons::referee::Termination::Timeout);
    fs::write(&path, written([Script::Honest, failing], Some(2))).expect("a file");
    let (status, told, complaint) = replay(&path);
    assert_eq!((status, complaint.as_str()), (Some(0), ""));
    let at = |what: &str| told.find(what).unwrap_or_else(|| panic!("'{what}' is not in {told}"));
    let order = ["board: ", "  1. ", "  2. ", "timeout in finalize", "nobody wins", "verified: "].map(at);
    assert!(order.is_sorted(), "{told}");
}
