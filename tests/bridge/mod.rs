//! Other programs as players.

mod botzone;
mod children;
mod codingame;
mod commands;
mod confinement;
mod deaths;
mod games;
mod installations;
mod languages;
mod temporary;
mod timing;
mod uci;
mod verdicts;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use amazons_testing::skip;
use serde_json::Value;
use tempfile::TempDir;

use crate::cli::server;
use crate::support::{compiler, player};

/// A world-readable folder: programs cannot read others when the server is root.
pub(crate) fn open_folder() -> TempDir {
    let folder = TempDir::new().expect("there is room for a temporary folder");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("it is ours");
    folder
}

/// A world-readable, executable file.
pub(super) fn program(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).expect("the file can be written");
    fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("it is ours");
    path
}

/// A shell program: it says hello, and runs `go` when asked for a move.
pub(crate) fn shell_bot(folder: &TempDir, go: &str) -> String {
    let text = format!(
        "#!/bin/sh\nwhile read -r word rest; do case $word in\n\
         aep) echo 'id name shell bot'; echo 'aepok 1';;\n\
         isready) echo readyok;;\n\
         go) {go};;\n\
         quit) exit 0;;\nesac; done\n"
    );
    format!("bridge:/bin/sh {}", program(folder, "bot.sh", &text).display())
}

/// The example with an installed Python; tests without one are skipped.
pub(super) fn python_example() -> Option<String> {
    let Some(python) = python() else {
        skip("there is no /usr/bin/python3 (Debian: apt-get install python3)");
        return None;
    };
    let folder = open_folder();
    let bot = program(&folder, "random_bot.py", include_str!("../../examples/bridge/random_bot.py"));
    let command = format!("bridge:{python} {}", bot.display());
    // It is needed until the tests end.
    std::mem::forget(folder);
    Some(command)
}

pub(super) fn python() -> Option<&'static str> {
    let python = "/usr/bin/python3";
    Path::new(python).exists().then_some(python)
}

/// A program in C.
pub(super) fn compiled(folder: &TempDir, source: &str) -> PathBuf {
    let file = folder.path().join("program.c");
    fs::write(&file, source).expect("the source can be written");
    let path = folder.path().join("program");
    let output = compiler().arg("-o").args([&path, &file]).arg("-pthread").output().expect("a compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    path
}

/// The events of a game.
pub(super) fn events(args: &[&str]) -> Vec<Value> {
    let ran = server(["--json"].iter().chain(args));
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The only fault of a game, and its ending.
pub(super) fn fault_of(bot: &str, options: &[&str]) -> (Value, Value) {
    let random = player("random").display().to_string();
    // The boards of CodinGame and Botzone have eight columns.
    let mut args = vec!["-m", if bot.starts_with("bridge:") { "5" } else { "8" }, bot, &random];
    args.extend(options);
    let events = events(&args);
    let faults: Vec<&Value> = events.iter().filter(|event| event["event"] == "fault").collect();
    assert_eq!(faults.len(), 1, "{events:#?}");
    (faults[0].clone(), events.last().expect("an end").clone())
}
