//! The makefiles of the C players, in a folder with blanks in its name.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::SystemTime;

use tempfile::TempDir;

use crate::support;

const C_MOBILITY: [(&str, &str); 2] = [
    ("Makefile", include_str!("../../players/c_mobility/Makefile")),
    ("c_mobility.c", include_str!("../../players/c_mobility/c_mobility.c")),
];
const C_GSL: [(&str, &str); 2] = [
    ("Makefile", include_str!("../../players/c_gsl/Makefile")),
    ("c_gsl.c", include_str!("../../players/c_gsl/c_gsl.c")),
];

/// Copies a player and the headers.
fn copy_player(files: [(&str, &str); 2]) -> (TempDir, std::path::PathBuf) {
    let folder = TempDir::with_prefix("a folder with blanks ").expect("there is room for a temporary folder");
    let headers = folder.path().join("our headers");
    fs::create_dir(&headers).expect("a folder can be made");
    support::write_headers(&headers);
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    let out = folder.path().join("the player.so");
    (folder, out)
}

fn make(folder: &Path, out: &Path, variables: &[&str]) -> Output {
    Command::new("make")
        .arg("-C")
        .arg(folder)
        .arg(format!("OUT={}", out.display()))
        .arg(format!("HEADERS={}", folder.join("our headers").display()))
        .args(variables)
        .env_remove("MAKEFLAGS")
        .env_remove("GSL_PATH")
        .output()
        .expect("make is installed")
}

fn modified(file: &Path) -> SystemTime {
    fs::metadata(file).and_then(|metadata| metadata.modified()).expect("the file is there")
}

#[test]
fn a_player_is_built_once_and_again_when_something_changed() {
    let (folder, out) = copy_player(C_MOBILITY);
    let first = make(folder.path(), &out, &["CFLAGS=-O1 -Werror -Wconversion"]);
    assert!(first.status.success(), "{first:?}");
    assert_eq!(String::from_utf8_lossy(&first.stderr), "");
    let built = modified(&out);

    assert!(make(folder.path(), &out, &[]).status.success());
    assert_eq!(modified(&out), built, "nothing had changed");

    let header = folder.path().join("our headers/move.h");
    let file = fs::File::open(header).expect("the header is there");
    file.set_modified(SystemTime::now()).expect("its time can be set");
    assert!(make(folder.path(), &out, &[]).status.success());
    assert_ne!(modified(&out), built, "a header had changed");

    assert!(make(folder.path(), &out, &["clean"]).status.success());
    assert!(!out.exists());
}

#[test]
fn the_players_of_c_need_no_optimizer_to_be_free_of_warnings() {
    for level in ["-O0", "-O3"] {
        let (folder, out) = copy_player(C_MOBILITY);
        let output = make(folder.path(), &out, &[&format!("CFLAGS={level} -Werror -Wshadow")]);
        assert!(output.status.success(), "{output:?}");
    }
}

#[test]
fn a_missing_gsl_is_explained_in_one_line() {
    let (folder, out) = copy_player(C_GSL);
    // Without any system headers there is no GSL, wherever it may be installed.
    let output = make(folder.path(), &out, &["CC=cc -nostdinc", "GSL_PATH=/no such folder"]);
    assert!(!output.status.success());
    let errors = String::from_utf8_lossy(&output.stderr);
    let ours: Vec<_> = errors.lines().filter(|line| !line.starts_with("make")).collect();
    assert_eq!(ours.len(), 1, "{errors}");
    assert!(ours[0].contains("libgsl-dev") && ours[0].contains("GSL_PATH"), "{errors}");
}
