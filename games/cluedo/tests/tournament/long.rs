//! What takes longer.

use std::fs;

use amazons_testing::{status_of, wait_until};

use super::{Folder, plan};
use crate::support::command;

#[test]
fn a_killed_tournament_goes_on() {
    let bots = [("four", "builtin:bot4"), ("three", "builtin:bot3"), ("two", "builtin:bot2-extended")];
    let folder = Folder::new(&plan(3, "field", 300, "", &bots));
    let all = folder.said(&[]);
    let whole = fs::read(folder.journal()).expect("a journal");
    fs::remove_file(folder.journal()).expect("a journal");
    let mut kills = 0;
    for part in 1..4 {
        let mut child = std::process::Command::new(crate::support::PROGRAM)
            .args(["tournament", &folder.plan(), "--quiet", "-j", "2"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("it starts");
        let wanted = (whole.len() * part / 4) as u64;
        wait_until("the journal grows", || fs::metadata(folder.journal()).is_ok_and(|file| file.len() >= wanted));
        kills += u32::from(child.try_wait().expect("its status").is_none());
        // SIGKILL: nothing can be tidied up.
        drop(child.kill());
        status_of(&mut child);
    }
    println!("killed {kills} times while it ran");
    let output = crate::support::run(command(&["tournament", &folder.plan(), "--quiet"]), b"");
    assert_eq!(String::from_utf8(output.stdout).expect("text"), all);
    assert!(fs::read(folder.journal()).expect("a journal") == whole);
}
