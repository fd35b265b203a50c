use std::fs;

use amazons::new_player::{NewPlayerError, Template, write};
use tempfile::TempDir;

const TEMPLATES: [Template; 6] =
    [Template::C, Template::CWithGsl, Template::Rust, Template::Cpp, Template::Go, Template::Python];

#[test]
fn names_that_would_not_do_are_refused() {
    let folder = TempDir::new().expect("temporary folder");
    let long = "a".repeat(41);
    for name in [
        "",
        "Upper",
        "9lives",
        "_x",
        "with blank",
        "a-b",
        "../up",
        "/abs",
        "a/b",
        "ünï",
        "x.so",
        "nul\0",
        long.as_str(),
    ] {
        for template in TEMPLATES {
            let error = write(template, name, folder.path()).expect_err(name);
            assert!(matches!(error, NewPlayerError::Name(_)), "{name}: {error:?}");
            let line = error.to_string();
            assert!(line.starts_with(&format!("bad name '{name}': use lower-case letters")), "{line}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0, "a refusal leaves nothing behind");
}

#[test]
fn names_up_to_the_limit_are_taken() {
    let folder = TempDir::new().expect("temporary folder");
    for name in ["a", "q2_w3_", &"a".repeat(40)] {
        assert_eq!(write(Template::C, name, folder.path()).expect(name), folder.path().join(name));
    }
}

#[test]
fn what_exists_is_left_alone() {
    let folder = TempDir::new().expect("temporary folder");
    fs::create_dir(folder.path().join("taken")).expect("new folder");
    fs::write(folder.path().join("taken/notes"), "mine").expect("new file");
    fs::write(folder.path().join("file"), "mine, too").expect("new file");
    for name in ["taken", "file"] {
        for template in TEMPLATES {
            let error = write(template, name, folder.path()).expect_err(name);
            assert!(matches!(&error, NewPlayerError::Exists(path) if path.ends_with(name)), "{error:?}");
        }
    }
    assert_eq!(fs::read_to_string(folder.path().join("taken/notes")).expect("still there"), "mine");
    assert_eq!(fs::read_to_string(folder.path().join("file")).expect("still there"), "mine, too");
    assert_eq!(fs::read_dir(folder.path().join("taken")).expect("readable").count(), 1);
}

#[test]
fn a_missing_parent_is_named() {
    let folder = TempDir::new().expect("temporary folder");
    let error = write(Template::Rust, "lost", &folder.path().join("nowhere")).expect_err("no such folder");
    assert!(matches!(&error, NewPlayerError::Write { path, .. } if path.ends_with("nowhere/lost")), "{error:?}");
}
