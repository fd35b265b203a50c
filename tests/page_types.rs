//! The types of pages' scripts: `tests/scripts/check_pages.js` finds wrong ones, and scripts without a page; those of the
//! server's values follow from Rust.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use amazons::page_types;
use serde_json::{Value, json};
use tempfile::TempDir;

#[test]
fn a_wrong_type_and_a_lost_script_are_found() {
    let tsc = Command::new("tsc").arg("--version").stdout(Stdio::null()).status();
    if !tsc.is_ok_and(|status| status.success()) {
        amazons_testing::skip(
            "the types of pages were not checked: tsc is missing (Debian: apt-get install node-typescript)",
        );
        return;
    }
    let ours = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = TempDir::new().expect("a folder");
    let home = root.path().join("crates/pages");
    fs::create_dir_all(&home).expect("a folder");
    let config = fs::read_to_string(ours.join("crates/pages/tsconfig.json")).expect("a file");
    let mut config: Value = serde_json::from_str(&config).expect("JSON");
    config["pages"] = json!([["crates/pages/one.js", "crates/pages/two.js"]]);
    fs::write(home.join("tsconfig.json"), config.to_string()).expect("a file");
    fs::write(home.join("globals.d.ts"), "").expect("a file");
    fs::write(home.join("one.js"), "const three = () => 3;\n").expect("a file");
    let check = |two: &str| {
        fs::write(home.join("two.js"), two).expect("a file");
        let script = ours.join("tests/scripts/check_pages.js");
        let ran = Command::new("node").arg(script).arg(root.path()).output().expect("it runs");
        let printed = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.success(), printed.is_empty(), "{ran:?}");
        printed
    };
    let found = check("three().toFixed(2);\nthree().trim();\n");
    assert!(found.starts_with("crates/pages/two.js:2: ") && found.contains("'trim'"), "{found}");
    fs::write(home.join("three.js"), "").expect("a file");
    assert_eq!(check(""), "crates/pages/three.js: no page of crates/pages/tsconfig.json has it\n");
}

/// With `UPDATE_TYPES=1` in the environment, the file is written anew.
#[test]
fn the_scripts_of_pages_have_the_types_of_the_server() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page_types.d.ts");
    if std::env::var_os("UPDATE_TYPES").is_some() {
        fs::write(&path, page_types()).expect("room");
    }
    let found = fs::read_to_string(&path).expect("a file");
    assert!(found == page_types(), "{} is outdated: UPDATE_TYPES=1 ./install/alltests page_types", path.display());
}
