//! The laboratory from outside.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use amazons_testing::wait_until;

/// Starts the recipe in the small, as a process group of its own.
fn recipe(folder: &Path, jobs: &str) -> Child {
    Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/recipe.sh"))
        .arg(folder)
        .arg("2000")
        .env("LAB", env!("CARGO_BIN_EXE_lab"))
        .env("JOBS", jobs)
        .stdout(Stdio::null())
        .process_group(0)
        .spawn()
        .expect("the recipe starts")
}

#[test]
fn a_recipe_that_was_killed_goes_on_to_the_same_files() {
    let root = tempfile::tempdir().expect("a folder");
    let [whole, killed] = ["whole", "killed"].map(|name| root.path().join(name));
    assert!(recipe(&whole, "2").wait().expect("it ends").success());

    let mut first = recipe(&killed, "1");
    let played = || fs::read_to_string(killed.join("g4.txt.part")).is_ok_and(|games| games.contains('\n'));
    wait_until("a game is kept", || {
        assert!(first.try_wait().expect("it can be asked").is_none(), "the recipe ended before it could be killed");
        played()
    });
    let group = format!("-{}", first.id());
    assert!(Command::new("kill").args(["-KILL", "--", &group]).status().expect("kill runs").success());
    assert!(!first.wait().expect("it ends").success());
    assert!(killed.join("g4.txt.part").exists() && !killed.join("g4.txt").exists());
    assert!(recipe(&killed, "1").wait().expect("it ends").success());

    let names = |folder: &Path| -> BTreeSet<String> {
        let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").file_name());
        files.map(|name| name.into_string().expect("ASCII")).collect()
    };
    let expected = ["g1", "g2", "g4", "g5", "g6", "n3", "n6", "network", "w1", "weights"];
    assert!(names(&whole).into_iter().eq(expected.map(|name| format!("{name}.txt"))));
    assert_eq!(names(&killed), names(&whole));
    for name in names(&whole) {
        let [one, other] = [&whole, &killed].map(|folder| fs::read(folder.join(&name)).expect("a file"));
        assert!(one == other, "{name} differs");
    }
}
