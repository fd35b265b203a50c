//! `tests/scripts/check_imports.py` finds circles of imports, in programs of games, too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// Runs the check on files with these texts; returns what it prints, which is nothing if there is no circle.
fn check(files: &[(&str, &str)]) -> String {
    let root = TempDir::new().expect("a folder");
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let script: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts/check_imports.py");
    let ran = Command::new("/usr/bin/python3").arg(script).arg(root.path()).output().expect("it runs");
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert_eq!(ran.status.success(), printed.is_empty(), "{ran:?}");
    printed
}

#[test]
fn a_circle_in_a_program_is_found() {
    if !Path::new("/usr/bin/python3").exists() {
        amazons_testing::skip("there is no /usr/bin/python3 (Debian: apt-get install python3)");
        return;
    }
    let library = ("games/go/src/lib.rs", "pub mod book;");
    let book = ("games/go/src/book.rs", "pub struct Page;");
    let main = ("games/go/src/bin/go/main.rs", "mod book;\nmod solve;\nuse book::run;");
    let solve = ("games/go/src/bin/go/solve.rs", "use crate::book::Page;");
    let straight = [library, book, main, solve, ("games/go/src/bin/go/book.rs", "use go::book::Page;")];
    assert_eq!(check(&straight), "");
    let planted = [library, book, main, solve, ("games/go/src/bin/go/book.rs", "use crate::solve::MIB;")];
    let files = "files import each other in a circle: games/go/src/bin/go/book.rs, games/go/src/bin/go/solve.rs";
    assert!(check(&planted).contains(files), "{}", check(&planted));
}
