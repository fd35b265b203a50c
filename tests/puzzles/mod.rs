//! Puzzles: those of docs/puzzles, the command that finds them, and the page to try them.

mod browser;
mod command;
mod shipped;

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

fn shipped(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "docs/puzzles", name].iter().collect()
}

/// The puzzles of docs/puzzles, a line each.
fn puzzles() -> Vec<Value> {
    let lines = fs::read_to_string(shipped("puzzles.jsonl")).expect("a file");
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The data of a page.
fn page_data(page: &str) -> Vec<Value> {
    let (_, rest) = page.split_once("id=\"amazons-puzzles\">").expect("the puzzles");
    serde_json::from_str(rest.split_once("</script>").expect("their end").0).expect("JSON")
}

fn text<'a>(puzzle: &'a Value, key: &str) -> &'a str {
    puzzle[key].as_str().expect("text")
}
