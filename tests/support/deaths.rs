use std::fmt::Write;

use amazons_sandbox::text::gist;
use serde_json::Value;

/// Causes that the server names, each of them only where it was the cause.
const BLAMES: [&str; 13] = [
    "starting a thread",
    "starting a process",
    "running a program",
    "--allow-read",
    "its folder is the server's",
    "may map at most",
    "TMPDIR",
    "-fsanitize",
    "its own handler",
    "stack is full",
    "stack was full",
    "C library's",
    "undefined function",
];

/// How a player may die, and what must be in the one line about it.
pub(crate) type Death<'a> = (&'a str, &'a [&'a str]);

/// The line of a fault, as `server check` writes it.
pub(crate) fn one_line(fault: &Value) -> String {
    let text = |key: &str| fault[key].as_str().unwrap_or_default().to_owned();
    let mut line = format!("{} in {}: {}", text("termination"), text("call"), text("detail"));
    let printed: Vec<String> =
        fault["log_tail"].as_array().into_iter().flatten().filter_map(|line| Some(line.as_str()?.to_owned())).collect();
    if !printed.is_empty() {
        write!(line, "; it printed '{}'", gist(&printed, 4).join(" | ")).expect("text grows");
    }
    line
}

/// Checks that the line names the cause, and blames nothing that did not happen.
#[track_caller]
pub(crate) fn assert_cause(language: &str, (way, expected): Death<'_>, line: &str) {
    for part in expected {
        assert!(line.contains(part), "{language}, {way}: no '{part}' in: {line}");
    }
    for blame in BLAMES.iter().filter(|blame| line.contains(**blame)) {
        assert!(expected.iter().any(|part| part.contains(blame)), "{language}, {way}: '{blame}' is blamed in: {line}");
    }
}
